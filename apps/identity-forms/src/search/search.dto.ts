import { InputReader } from '@gatehouse/kit/input';
import { STRICT } from '../http/json-body.js';

export const QUERY_CHARACTERS_MAX = 255;
export const HITS_DEFAULT = 5;
export const HITS_MAX = 20;

export interface SearchHit {
  kind: 'identity' | 'schema' | 'flow' | 'event' | 'webhook_endpoint';
  id: string;
  title: string;
  detail: string;
  parent_id: string;
}

export interface SearchHits {
  hits: SearchHit[];
  is_more: boolean;
}

/** @returns the text without blanks around it, and how many hits of each kind are wanted */
export function readSearch(query: Readonly<Record<string, unknown>>): {
  text: string;
  limit: number;
} {
  const sent = query['query'];
  const trimmed = typeof sent === 'string' ? sent.trim() : sent;
  const input = InputReader.ofQuery({ ...query, query: trimmed }, STRICT);
  const text = input.requiredText('query', { max: QUERY_CHARACTERS_MAX });
  const size = input.integer('page_size', { min: -Infinity, max: Infinity }) ?? 0;
  input.throwIfInvalid();
  return { text, limit: Math.min(size <= 0 ? HITS_DEFAULT : size, HITS_MAX) };
}
