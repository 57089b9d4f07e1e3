/**
 * Delta queries of the fake Microsoft Graph. Links, tokens and entries follow
 * https://learn.microsoft.com/graph/delta-query-overview and
 * https://learn.microsoft.com/graph/delta-query-groups: a token stands for the parameters of the first
 * request, only selected properties are tracked, and `members` with them.
 */
import { ENTRA_FAULTS } from './fake-entra-faults.js';
import { type FakeChange } from './fake-people.js';
import { type FakeAnswer } from './fake-server.js';

/** Users or groups, with what has changed. */
export interface DeltaSource {
  journal: readonly FakeChange<object>[];
  isGone(number: number): boolean;
  /** As Graph shows it now, or showed it before a change. */
  bodyOf(number: number, before?: object): object;
}

interface DeltaState {
  select: string[];
  /** Changes that the client has seen. */
  since: number;
  /** Entries of this answer that the pages before had. */
  from: number;
  generation: number;
}

export class EntraDeltas {
  private generation = 0;

  /** Tokens that were given before are too old. */
  forget(): void {
    this.generation += 1;
  }

  /** A link for the changes that come after now. */
  link(base: string, { journal }: DeltaSource, select: string[]): string {
    const { generation } = this;
    return `${base}?$deltatoken=${encoded({ select, since: journal.length, from: 0, generation })}`;
  }

  /** @param token of a delta link, or of the next page of its answer */
  answer(base: string, source: DeltaSource, token: string, size: number): FakeAnswer {
    const state = decoded(token);
    if (state?.generation !== this.generation) return ENTRA_FAULTS.staleToken;
    const entries = entriesSince(source, state);
    const to = state.from + size;
    const link =
      to < entries.length
        ? { '@odata.nextLink': `${base}?$skiptoken=${encoded({ ...state, from: to })}` }
        : { '@odata.deltaLink': this.link(base, source, state.select) };
    return { body: { value: entries.slice(state.from, to), ...link } };
  }
}

/** The properties that a client has selected, and those of the protocol. */
export function selected(body: object, select: readonly string[]): object {
  const isKept = (name: string) => select.includes(name) || name.startsWith('@');
  return Object.fromEntries(Object.entries(body).filter(([name]) => isKept(name)));
}

/** Each resource once, however often it has changed. */
function entriesSince({ journal, isGone, bodyOf }: DeltaSource, state: DeltaState): object[] {
  const { select, since } = state;
  const textOf = (body: object) => JSON.stringify(selected(body, select));
  const isTracked = ({ number, before, isOfMembers }: FakeChange<object>) => {
    if (isOfMembers) return select.includes('members');
    const now = isGone(number) ? {} : bodyOf(number);
    return before === undefined || textOf(bodyOf(number, before)) !== textOf(now);
  };
  const numbers = new Set(
    journal
      .slice(since)
      .filter(isTracked)
      .map((change) => change.number),
  );
  return [...numbers].map((number) => {
    const body = selected(bodyOf(number), select) as { id: string };
    return isGone(number) ? { id: body.id, '@removed': { reason: 'changed' } } : body;
  });
}

function encoded(state: DeltaState): string {
  return Buffer.from(JSON.stringify(state)).toString('base64url');
}

function decoded(token: string): DeltaState | undefined {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as DeltaState;
  } catch {
    return undefined;
  }
}
