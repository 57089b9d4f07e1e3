/** A key: whether it works, why not, what it may do, and what can be done with it. */
import { type Refusal } from '@gatehouse/client';
import { type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { filterOf } from '../parts/filter.js';
import { actButton } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { buttonLink, code, copyable, link, number, section, written } from '../parts/text.js';
import { lengthOf, time } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';
import { ownerLink } from './key-list.js';
import { findKey, type FoundKey, nameOf } from './key-lookup.js';
import { reasonOf, statusBadge, type StateReason, undoTime, verdict } from './key-state.js';
import { outcomeText, usageOf, usagePlot } from './key-usage.js';

/** The newest events of a key say why it is in its state. */
const EVENTS = 10;

export async function keyPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, query } = visit;
  const texts = keysTexts(frame.language);
  const found = await findKey(visit);
  const { key } = found;
  const filter = filterOf({ key_id: key.key_id });
  const period = query.get('usage') === 'days' ? 'days' : 'hours';
  const [{ refusals }, { audit_events: events }, usage] = await Promise.all([
    gatehouse.keys.refusals({ key_id: key.key_id }),
    gatehouse.keys.auditEvents.list({ filter, page_size: EVENTS }),
    usageOf(visit, filter, period),
  ]);
  const reason = reasonOf(key, events);
  const periods = (['hours', 'days'] as const).map((each) =>
    each === period
      ? markup`<strong>${texts[each]}</strong> `
      : markup`${link(frame, pathWith(`/keys/${key.key_id}`, { usage: each }), texts[each])} `,
  );
  return {
    title: nameOf(key),
    section: 'keys',
    trail: [{ path: '/keys', text: texts.keys }],
    content: markup`<p class="lead">${statusBadge(frame, key)} ${verdict(frame, key, reason)}</p>
${acts(visit, found, reason)}
<div class="columns"><div>${keyFacts(frame, found)}</div>
<div>${section(texts.limits, limitTable(frame, found))}${section(texts.credits, creditFacts(frame, found))}</div></div>
${section(texts.refusals, refusalTable(frame, refusals))}
${section(texts.usage, markup`<p>${periods}</p>${usagePlot(visit, usage, period)}`)}
<p>${link(frame, pathWith('/audit', { target: key.key_id }), texts.audit)}</p>`,
  };
}

function acts(visit: ConsoleVisit, { kind, key }: FoundKey, reason?: StateReason): Html {
  const { frame } = visit;
  const texts = keysTexts(frame.language);
  const path = `/keys/${key.key_id}`;
  const [mayIssue, mayRevoke] = [can(visit, 'keys:issue'), can(visit, 'keys:revoke')];
  const isActive = key.status === 'KEY_STATUS_ACTIVE';
  const isPaused = key.status === 'KEY_STATUS_PAUSED';
  const isAlive = isActive || isPaused;
  const undo = undoTime(key, reason);
  const button = (act: 'pause' | 'resume' | 'undelete') =>
    actButton(frame, { path: `${path}/${act}`, button: texts[act] });
  const page = (act: 'edit' | 'rotate' | 'credits' | 'revoke') =>
    buttonLink(frame, `${path}/${act}`, texts[act]);
  return markup`${undo && markup`<p>${texts.undoUntil(time(frame, undo))}</p>`}
<div class="acts">${[
    isActive && mayRevoke && button('pause'),
    isPaused && mayIssue && button('resume'),
    undo && mayIssue && button('undelete'),
    isAlive && mayIssue && kind !== 'trust' && [page('edit'), page('credits')],
    isActive && mayIssue && kind === 'issued' && page('rotate'),
    isAlive && mayRevoke && page('revoke'),
  ]}</div>`;
}

function keyFacts(frame: ConsoleFrame, { kind, key }: FoundKey): Html {
  const texts = keysTexts(frame.language);
  const { revocation_reason: revocation, revocation_description: description } = key;
  const metadata = JSON.stringify(key.metadata, null, 2);
  return facts([
    [
      texts.reason,
      revocation && [texts.reasons[revocation], description && ': ', written(description)],
    ],
    [texts.owner, key.actor_id === '' ? undefined : ownerLink(frame, key.actor_id)],
    [texts.key, key.key_preview && code(key.key_preview)],
    [texts.id, copyable(frame, key.key_id)],
    [texts.kind, texts.kinds[kind]],
    [texts.scopes, codes(key.scopes) ?? texts.none],
    [texts.tags, codes(key.tags)],
    [texts.addresses, codes(key.ip_restriction?.allowed_cidrs)],
    [texts.created, time(frame, key.create_time)],
    [texts.expires, time(frame, key.expire_time)],
    [texts.lastUsed, time(frame, key.last_used_time)],
    [texts.metadata, metadata === '{}' ? undefined : markup`<pre tabindex="0">${metadata}</pre>`],
  ]);
}

function codes(values: readonly string[] = []): HtmlPart {
  return values.length === 0 ? undefined : values.map((value) => [code(value), ' ']);
}

function limitTable(frame: ConsoleFrame, { key }: FoundKey): Html {
  const texts = keysTexts(frame.language);
  const { rate_limit_policy: policy, rate_limits: named = [] } = key;
  return table(frame, {
    caption: texts.limits,
    rows: policy ? [{ ...policy, name: 'default' }, ...named] : named,
    empty: texts.noLimits,
    columns: [
      { head: texts.limits, cell: ({ name }) => code(name) },
      { head: texts.quota, cell: ({ quota }) => number(frame, BigInt(quota)), isNumber: true },
      { head: texts.window, cell: ({ window }) => lengthOf(frame, window) },
    ],
  });
}

export function creditFacts(frame: ConsoleFrame, { key: { credits } }: FoundKey): Html {
  const texts = keysTexts(frame.language);
  if (!credits) return markup`<p class="empty">${texts.noCredits}</p>`;
  const { remaining, refill, strict } = credits;
  const amount = refill && number(frame, BigInt(refill.amount));
  return facts([
    [texts.remaining, number(frame, BigInt(remaining))],
    [
      texts.refills,
      amount
        ? texts.refill(amount, lengthOf(frame, refill.interval), time(frame, refill.at))
        : texts.none,
    ],
    [texts.strict, strict ? texts.yes : texts.no],
  ]);
}

function refusalTable(frame: ConsoleFrame, refusals: readonly Refusal[]): Html {
  const texts = keysTexts(frame.language);
  return table(frame, {
    caption: texts.refusals,
    rows: refusals,
    empty: texts.nothing,
    columns: [
      {
        head: texts.reason,
        cell: ({ error_code: error, limit }) => [
          outcomeText(texts, error),
          limit && [': ', code(limit)],
        ],
      },
      { head: texts.lastTime, cell: ({ last_time: at }) => time(frame, at) },
      { head: texts.network, cell: ({ network }) => network && code(network) },
      { head: texts.count, cell: ({ count }) => number(frame, BigInt(count)), isNumber: true },
    ],
  });
}
