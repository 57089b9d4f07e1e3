import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import {
  type ApplyPeopleReply,
  type ApplyPeopleRequest,
  type LinkAction,
  MessagePatterns,
  type PersonState,
} from '@gatehouse/schemas';
import { type Answer, checkPayload, CONTROL_PLANE, eventually } from '@gatehouse/testing';
import { randomUUID } from 'node:crypto';
import { type KeyServiceStack } from './key-stack.js';

type Policy = Partial<Record<'on_deactivate' | 'on_delete', LinkAction>> & {
  revision?: number;
  actor_prefix?: string;
  email_domains?: string[];
};

export interface LeaversKey {
  id: string;
  secret: string;
}

export const PAUSED = 'VERIFICATION_ERROR_PAUSED';
export const REVOKED = 'VERIFICATION_ERROR_REVOKED';
export const errorIn = ({ body }: Answer) => body.error_code as string | undefined;

/** Directories whose people are sent as the worker does, and the keys of these people on two replicas. */
export function leaversOf(service: () => KeyServiceStack) {
  const exchanges = new Map<string, Exchange>();
  let sequence = 0;
  let names = 0;

  const newName = (text: string) => `${text}-${(names += 1)}`;
  const nextSequence = () => String((sequence += 1));

  /** The exchange of a service, which is closed by `close`. */
  function exchangeOf(name: string): Exchange {
    const exchange =
      exchanges.get(name) ??
      redisExchange({
        redis: service().redis,
        service: name,
        messageKeys: [CONTROL_PLANE.MESSAGE_KEYS],
        logger: createLogger('test', 'silent'),
      });
    exchanges.set(name, exchange);
    return exchange;
  }

  /** A directory of a tenant of its own, unless one is named. */
  function directory(policy: Policy = { on_deactivate: 'pause' }, tenant = newName('tenant')) {
    const source = { source_id: randomUUID(), tenant, product: 'app' };
    const link = {
      revision: 1,
      attribute: 'email',
      actor_prefix: '',
      email_domains: [],
      on_deactivate: 'off',
      on_delete: 'off',
      ...policy,
    } as const;
    const send = (more: Partial<ApplyPeopleRequest>, by: Exchange = exchangeOf('dsync-worker')) =>
      request({ ...source, link, people: [], snapshot: null, ...more }, by);
    const person = (user: string, actors: string[], state: PersonState, at = nextSequence()) => ({
      user_id: user,
      actor_ids: actors,
      state,
      sequence: at,
    });
    return {
      ...source,
      link,
      send,
      person,
      /** A change of the user whose id is that of the actor. Sent until it is done, as by the worker. */
      is: (state: PersonState, ...actors: string[]) => {
        const people = actors.map((actor) => person(actor, [actor], state));
        return eventually(async () => {
          const reply = await send({ people });
          expect(reply.is_done).toBe(true);
          return reply;
        });
      },
      /** The source is no longer linked. */
      forget: (asOf = nextSequence()) =>
        send({ link: null, snapshot: { as_of: asOf, is_complete: true } }),
      /** A snapshot of all people: actors by state, with the link as it is now. */
      snapshot: (
        people: ReturnType<typeof person>[],
        changed: Policy = {},
        asOf = nextSequence(),
      ) =>
        send({
          link: { ...link, ...changed },
          people: people.map((each) => ({ ...each, sequence: asOf })),
          snapshot: { as_of: asOf, is_complete: true },
        }),
    };
  }

  async function keyOf(actor: string, fields: Record<string, unknown> = {}): Promise<LeaversKey> {
    const { secret, key } = await service().issue({ actor_id: actor, ...fields });
    return { secret, id: key.key_id as string };
  }

  /** The errors of a credential on both replicas, which have it in memory after the first look. */
  const errorsOf = (secret: string) =>
    Promise.all(
      [0, 1].map(async (replica) => errorIn(await service().verify(secret, {}, { replica }))),
    );
  const isRefused = (secret: string, error: string) =>
    eventually(async () => expect(await errorsOf(secret)).toEqual([error, error]));
  const works = (secret: string) =>
    eventually(async () => expect(await errorsOf(secret)).toEqual([undefined, undefined]));

  const read = async ({ id }: LeaversKey) =>
    (await service().admin('GET', `/issuedApiKeys/${id}`)).body;
  const act = (key: LeaversKey, action: 'pause' | 'resume' | 'undelete') =>
    service().admin('POST', `/apiKeys/${key.id}:${action}`);
  const auditOf = async (filter: string) => {
    const query = `filter=${encodeURIComponent(filter)}`;
    return (await service().admin('GET', `/auditEvents?${query}`)).body
      .audit_events as Answer['body'][];
  };
  const close = () => Promise.all([...exchanges.values()].map((exchange) => exchange.close()));

  return {
    newName,
    nextSequence,
    exchangeOf,
    directory,
    keyOf,
    errorsOf,
    isRefused,
    works,
    read,
    act,
    auditOf,
    close,
  };
}

async function request(payload: ApplyPeopleRequest, by: Exchange): Promise<ApplyPeopleReply> {
  const { applyPeople } = MessagePatterns;
  checkPayload(applyPeople, 'request', payload);
  const reply = (await by.messages.request(applyPeople, payload, 10_000)) as ApplyPeopleReply;
  checkPayload(applyPeople, 'reply', reply);
  return reply;
}
