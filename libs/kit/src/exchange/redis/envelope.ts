/** The envelope of a message: the id of a request, and what `SealedMessages` has sealed. */
export interface Envelope {
  /** Absent for events. */
  readonly id?: string;
  readonly sealed?: string;
}

const HEAD = /^\{(?:"id":"([\w-]{1,64})",)?"(?:data|response)":"/;
const HEAD_LENGTH_MAX = 128;
const TAIL = '"}';

/**
 * Reads the envelope exactly as this transport writes it, without parsing JSON: parsing a foreign text would
 * take many times its length in memory, and seconds in which the process answers nothing.
 *
 * @returns an empty envelope for any other text
 */
export function envelopeOf(text: string): Envelope {
  const head = HEAD.exec(text.slice(0, HEAD_LENGTH_MAX));
  if (!head || !text.endsWith(TAIL)) return {};
  const [{ length }, id] = head;
  return { ...(id !== undefined && { id }), sealed: text.slice(length, -TAIL.length) };
}
