/** Owners of keys: what support asks about a person. */
import { type Actor } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { keyTable } from '../keys/key-list.js';
import { causeText } from '../keys/key-state.js';
import { outcomeText } from '../keys/key-usage.js';
import { filterForm, textField } from '../parts/forms.js';
import { pathWith, table } from '../parts/table.js';
import { badge, buttonLink, code, link, number, section, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';

const BADGES = { active: 'good', inactive: 'warning', deleted: 'quiet' } as const;

/** The person of the address, or a form that asks for one. */
export async function personPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, query } = visit;
  const texts = keysTexts(frame.language);
  const id = query.get('id')?.trim() ?? '';
  if (id === '') return findPage(frame);
  const actor = await gatehouse.actors.find({ actor_id: id });
  const acts = [
    can(visit, 'keys:issue') &&
      buttonLink(frame, pathWith('/keys/new', { actor_id: id }), texts.issue),
    can(visit, 'keys:admin') &&
      buttonLink(frame, pathWith('/people/session', { id }), texts.newSession),
  ];
  return {
    title: id,
    section: 'people',
    trail: [{ path: '/people', text: texts.people }],
    content: markup`<div class="acts">${acts}</div>
${section(texts.keys, keys(frame, actor))}
${section(texts.linked, people(frame, actor))}
${section(texts.usage, usage(frame, actor))}
${section(texts.portalSessions, sessions(visit, actor))}
${section(texts.tokens, tokens(frame, actor))}`,
  };
}

function findPage(frame: ConsoleFrame): Page {
  const texts = keysTexts(frame.language);
  const field = textField({ name: 'id', label: texts.owner, hint: texts.ownerHint });
  return {
    title: texts.people,
    section: 'people',
    content: filterForm(frame, '/people', field),
  };
}

function keys(frame: ConsoleFrame, actor: Actor): Html {
  const texts = keysTexts(frame.language);
  const all = link(frame, pathWith('/keys', { actor_id: actor.actor_id }), texts.moreKeys);
  return markup`${keyTable(frame, {
    caption: texts.keys,
    rows: [...actor.issued_api_keys, ...actor.imported_api_keys, ...actor.trust_rules],
    empty: texts.noKeys,
    why: (key) =>
      key.state_reason && [
        causeText(frame, key, key.state_reason),
        ' ',
        time(frame, key.state_reason.time),
      ],
  })}<p>${all}</p>`;
}

function people(frame: ConsoleFrame, actor: Actor): Html {
  const texts = keysTexts(frame.language);
  return table(frame, {
    caption: texts.linked,
    rows: actor.people,
    empty: texts.noPeople,
    columns: [
      {
        head: texts.person,
        cell: ({ source, directory_id: directory, user_id: user, identity_id: identity }) =>
          link(
            frame,
            identity ? `/forms/identities/${identity}` : `/directories/${directory}/users/${user}`,
            texts.sources[source],
          ),
      },
      {
        head: texts.customer,
        cell: ({ tenant, product }) => written([tenant, product].filter(Boolean).join(' · ')),
      },
      { head: texts.state, cell: ({ state }) => badge(BADGES[state], texts.states[state]) },
      { head: texts.since, cell: ({ state_time: at }) => time(frame, at) },
    ],
  });
}

function usage(frame: ConsoleFrame, actor: Actor): Html {
  const texts = keysTexts(frame.language);
  const { last_30_days: inDays, last_24_hours: inHours } = actor.usage;
  const count = (value = '0') => number(frame, BigInt(value));
  return table(frame, {
    caption: texts.usage,
    rows: Object.keys({ ...inDays, ...inHours }),
    empty: texts.nothing,
    columns: [
      { head: texts.usage, cell: (outcome) => outcomeText(texts, outcome) },
      { head: texts.hours, cell: (outcome) => count(inHours[outcome]), isNumber: true },
      { head: texts.days, cell: (outcome) => count(inDays[outcome]), isNumber: true },
    ],
  });
}

function sessions(visit: ConsoleVisit, actor: Actor): Html {
  const { frame } = visit;
  const texts = keysTexts(frame.language);
  return table(frame, {
    caption: texts.portalSessions,
    rows: actor.portal_sessions,
    empty: texts.noSessions,
    columns: [
      { head: texts.since, cell: ({ create_time: at }) => time(frame, at) },
      { head: texts.opened, cell: ({ open_time: at }) => time(frame, at) },
      { head: texts.until, cell: ({ expire_time: at }) => time(frame, at) },
      {
        head: '',
        cell: ({ session_id: id }) =>
          can(visit, 'keys:admin') && link(frame, `/people/sessions/${id}/end`, texts.end),
      },
    ],
  });
}

function tokens(frame: ConsoleFrame, actor: Actor): Html {
  const texts = keysTexts(frame.language);
  return table(frame, {
    caption: texts.tokens,
    rows: actor.tokens,
    empty: texts.noTokens,
    columns: [
      {
        head: texts.key,
        cell: ({ key_id: id }) => link(frame, `/keys/${id}`, code(id)),
      },
      { head: texts.since, cell: ({ create_time: at }) => time(frame, at) },
      { head: texts.until, cell: ({ expire_time: at }) => time(frame, at) },
    ],
  });
}
