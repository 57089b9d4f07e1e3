import { type ApplyPeople } from '@gatehouse/directory-sync';
import { type Exchange } from '@gatehouse/kit/exchange';
import { type ApplyPeopleReply, MessagePatterns } from '@gatehouse/schemas';

/** No process answers later. */
const TIMEOUT_MS = 2_000;

/** Asks the key service over an exchange. Without MESSAGE_KEYS, each request fails. */
export function applyPeopleOver(exchange: Exchange): ApplyPeople {
  return async (request) => {
    const { messages } = exchange;
    const reply = await messages.request(MessagePatterns.applyPeople, request, TIMEOUT_MS);
    return { is_done: (reply as Partial<ApplyPeopleReply> | null)?.is_done === true };
  };
}
