/**
 * The caveats that a holder may add to a macaroon. A caveat can only restrict the token. An unknown
 * caveat makes the whole token invalid.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { AddressList } from '../../store/keys/address-list.js';
import { isCidr } from '../../api/fields/key-fields.js';
import { millisecondsOf } from '@gatehouse/kit/input';

export interface CaveatMeaning {
  expireAtMs: number;
  scopes: readonly string[] | null;
  networks: AddressList[];
  /** Of each list, one is sufficient. */
  audiences: (readonly string[])[];
}

export function timeCaveat(expireAtMs: number): string {
  return `time < ${new Date(expireAtMs).toISOString()}`;
}

export function scopeCaveat(scopes: readonly string[]): string {
  return `scope = ${scopes.join(' ')}`;
}

/** One audience as its text, several as a JSON list, because audiences may contain any separator. */
export function audienceCaveat(audiences: readonly string[]): string {
  const [first = ''] = audiences;
  return `aud = ${audiences.length === 1 && listed(first) === undefined ? first : JSON.stringify(audiences)}`;
}

/** The audiences of a JSON list; undefined for any other text. */
function listed(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const names = JSON.parse(text) as unknown[];
    return names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}

/** The combined restrictions of all caveats; undefined when one of them is unknown. */
export function readCaveats(caveats: readonly string[]): CaveatMeaning | undefined {
  const meaning: CaveatMeaning = {
    expireAtMs: Infinity,
    scopes: null,
    networks: [],
    audiences: [],
  };
  return caveats.every((caveat) => apply(caveat, meaning)) ? meaning : undefined;
}

function apply(caveat: string, meaning: CaveatMeaning): boolean {
  const [, name, relation, value = ''] = /^(time|scope|ip|aud) (<|=) ?(.*)$/s.exec(caveat) ?? [];
  if (name === 'time' && relation === '<') {
    const atMs = millisecondsOf(value);
    meaning.expireAtMs = Math.min(meaning.expireAtMs, atMs);
    return !Number.isNaN(atMs);
  }
  if (relation !== '=') return false;
  switch (name) {
    case 'scope': {
      const allowed = value.split(' ').filter((scope) => scope !== '');
      meaning.scopes = meaning.scopes?.filter((scope) => allowed.includes(scope)) ?? allowed;
      return true;
    }
    case 'ip': {
      const network = networkOf(value);
      if (!isCidr(network)) return false;
      meaning.networks.push(new AddressList([network]));
      return true;
    }
    case 'aud':
      meaning.audiences.push(listed(value) ?? [value]);
      return value !== '';
    default:
      return false;
  }
}

/** An address alone is a network of one. */
function networkOf(text: string): string {
  if (isIPv4(text)) return `${text}/32`;
  return isIPv6(text) ? `${text}/128` : text;
}
