// Checks of what callers say about a directory. Everything that is wrong throws a DomainError of
// status 400 that names the field.
import { readAttribute, ScimError, userResourceType } from '@gatehouse/scim';
import { DomainError, DurationError, invalidField, parseDuration } from '@gatehouse/service-kit';
import { type OutboundPolicy, outboundUrlFault } from '../outbound/outbound.js';
import {
  DEFAULT_TYPE,
  type DirectoryType,
  directoryType,
  type Page,
  PROVIDERS,
} from '../directories/directory.types.js';

const TEXT_CHARACTERS_MAX = 512;
const MAPPED_ATTRIBUTES_MAX = 64;
const PAGE_LIMIT_DEFAULT = 50;
const PAGE_LIMIT_MAX = 1_000;
const PAGE_OFFSET_MAX = 100_000_000;
const OVERLAP_SECONDS_MAX = 30 * 86_400;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A text without control characters, or undefined when the value is absent, null or empty. */
export function optionalText(
  value: unknown,
  field: string,
  charactersMax = TEXT_CHARACTERS_MAX,
): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidField(field, 'must be a string');
  if (value.length > charactersMax) {
    throw invalidField(field, `must not exceed ${charactersMax} characters`);
  }
  if (hasControlCharacter(value)) throw invalidField(field, 'must not contain control characters');
  return value;
}

export function requiredText(value: unknown, field: string): string {
  const text = optionalText(value, field);
  if (text === undefined) throw invalidField(field, 'is required');
  return text;
}

/** A tenant or product: part of keys that are joined with a colon elsewhere, so it holds none. */
export function scopeText(value: unknown, field: 'tenant' | 'product'): string {
  const text = requiredText(value, field);
  if (text.includes(':')) {
    throw new DomainError(
      'invalid_argument',
      'INVALID_ARGUMENT',
      `${field} cannot contain the character :`,
      { violations: [{ field, description: 'cannot contain the character :' }] },
    );
  }
  return text;
}

export function optionalBoolean(value: unknown, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw invalidField(field, 'must be true or false');
  return value;
}

export function knownType(value: unknown, field = 'type'): DirectoryType {
  if (value === undefined || value === null || value === '') return DEFAULT_TYPE;
  const type = typeof value === 'string' ? directoryType(value) : undefined;
  if (!type) throw invalidField(field, `must be one of ${Object.keys(PROVIDERS).join(', ')}`);
  return type;
}

export function webhookUrl(value: unknown, policy: OutboundPolicy): string | undefined {
  const text = optionalText(value, 'webhook_url', 2_048);
  const fault = text === undefined ? undefined : outboundUrlFault(text, policy);
  if (fault !== undefined) throw invalidField('webhook_url', fault);
  return text;
}

/** An overlap: a duration text or whole seconds, at most 30 days; absent means none. */
export function overlapSeconds(value: unknown, field: string): number {
  if (value === undefined || value === null || value === '') return 0;
  const seconds = typeof value === 'string' ? durationOf(value, field) : value;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
    throw invalidField(field, 'must be a duration such as "1h", or whole seconds');
  }
  if (seconds > OVERLAP_SECONDS_MAX) throw invalidField(field, 'must not exceed 30 days');
  return seconds;
}

/** Names of custom attributes and the SCIM paths that they are read from. */
export function attributeMapping(value: unknown): Record<string, string> | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField('attribute_mapping', 'must be an object of attribute names and SCIM paths');
  }
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > MAPPED_ATTRIBUTES_MAX) {
    throw invalidField('attribute_mapping', `must not exceed ${MAPPED_ATTRIBUTES_MAX} attributes`);
  }
  for (const [name, path] of entries) {
    if (!/^[A-Za-z][\w.-]{0,63}$/.test(name) || name === 'constructor' || name === 'prototype') {
      throw invalidField('attribute_mapping', `"${name.slice(0, 64)}" is no attribute name`);
    }
    checkPath(requiredText(path, `attribute_mapping.${name}`), `attribute_mapping.${name}`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Whatever a mapping names is read later for every user and event, and must not fail then. */
function checkPath(path: string, field: string): void {
  try {
    readAttribute({}, path, userResourceType);
  } catch (error) {
    throw error instanceof ScimError ? invalidField(field, error.detail) : error;
  }
}

/** Offset and limit of a page; default 50, at most 1000. */
export function pageOf(page: Page | null | undefined): { offset: number; limit: number } {
  const { pageOffset, pageLimit } = page ?? {};
  return {
    offset: wholeNumber(pageOffset, 'pageOffset', 0, PAGE_OFFSET_MAX) ?? 0,
    limit: Math.min(
      wholeNumber(pageLimit, 'pageLimit', 1, Number.MAX_SAFE_INTEGER) ?? PAGE_LIMIT_DEFAULT,
      PAGE_LIMIT_MAX,
    ),
  };
}

export function wholeNumber(
  value: unknown,
  field: string,
  min: number,
  max: number,
): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw invalidField(field, `must be a whole number ${range}`);
  }
  return number;
}

function durationOf(text: string, field: string): number {
  if (/^\d{1,9}s?$/.test(text)) return parseInt(text, 10);
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) throw invalidField(field, error.message);
    throw error;
  }
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return LONE_SURROGATE.test(text);
}
