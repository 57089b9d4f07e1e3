import { asResults } from '@gatehouse/directory-sync';
import { silentLogger, type TestSync } from '@gatehouse/directory-sync/testing';
import { type CallContext } from '@gatehouse/kit/clients';
import { createSetup } from '../src/links/create-setup.js';

export const CALL: CallContext = { caller: 'admin', ip: '192.0.2.1', requestId: 'r' };

type Answered<T> =
  { data: T; error: null } | { data: null; error: { code: number; message: string } };

export async function unwrap<T>(result: Promise<Answered<T>>): Promise<T> {
  const { data, error } = await result;
  if (error) throw new Error(`${error.code} ${error.message}`);
  return data;
}

export const codeOf = async (result: Promise<{ error: { code: number } | null }>) =>
  (await result).error?.code ?? 200;

/** Setup operations of a controller object, as results. */
export function setupOf({ sync }: TestSync) {
  const { links, sessions, consents, groups, roles } = createSetup(sync.parts);
  return {
    links: asResults(links, silentLogger),
    sessions: asResults(sessions, silentLogger),
    consents: asResults(consents, silentLogger),
    groups: asResults(groups, silentLogger),
    roles: asResults(roles, silentLogger),
  };
}
