/**
 * The caveats that a holder may add to a macaroon. A caveat can only restrict the token. An unknown
 * caveat makes the whole token invalid.
 */
import { AddressList } from '../../store/keys/address-list.js';
import { isCidr } from '../../api/fields/key-fields.js';
import { millisecondsOf } from '@gatehouse/kit/input';

export interface CaveatMeaning {
  expireAtMs: number;
  scopes: readonly string[] | null;
  networks: AddressList[];
  audiences: string[];
}

export function timeCaveat(expireAtMs: number): string {
  return `time < ${new Date(expireAtMs).toISOString()}`;
}

export function scopeCaveat(scopes: readonly string[]): string {
  return `scope = ${scopes.join(' ')}`;
}

export function audienceCaveat(audience: string): string {
  return `aud = ${audience}`;
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
    case 'ip':
      if (!isCidr(value)) return false;
      meaning.networks.push(new AddressList([value]));
      return true;
    case 'aud':
      meaning.audiences.push(value);
      return value !== '';
    default:
      return false;
  }
}
