import { isObject, own } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type ScimResource } from './resource.js';

/** The plain fields of users and groups, read from the canonical resource. */

export interface UserFields {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  firstName: string | null;
  lastName: string | null;
  /** The primary e-mail, or the work one, or the first, or userName when it is an address. */
  email: string | null;
  /** True unless the resource has `active: false`. */
  active: boolean;
  /** Every e-mail value, in order. */
  emails: string[];
}

export interface GroupFields {
  displayName: string;
  externalId: string | null;
}

const ADDRESS_PATTERN = /^[^\s@]+@[^\s@]+$/;

export function deriveUser(resource: ScimResource): UserFields {
  const userName = textOf(resource.userName) ?? '';
  const name = isObject(resource.name) ? resource.name : {};
  return {
    userName,
    externalId: textOf(resource.externalId),
    displayName: textOf(resource.displayName),
    firstName: textOf(own(name, 'givenName')),
    lastName: textOf(own(name, 'familyName')),
    email: emailOf(resource, userName),
    active: resource.active !== false,
    emails: emailObjects(resource).flatMap(({ value }) => (typeof value === 'string' ? value : [])),
  };
}

export function deriveGroup(resource: ScimResource): GroupFields {
  return {
    displayName: textOf(resource.displayName) ?? '',
    externalId: textOf(resource.externalId),
  };
}

/** The values of `roles`; undefined if the resource has none. */
export function deriveRoles({ roles }: JsonObject): string[] | undefined {
  if (!Array.isArray(roles)) return undefined;
  const values = roles.flatMap((role) => (isObject(role) ? (textOf(role.value) ?? []) : []));
  return values.length === 0 ? undefined : values;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function emailOf(resource: JsonObject, userName: string): string | null {
  const emails = emailObjects(resource).filter((email) => textOf(email.value) !== null);
  const chosen = emails.find((email) => email.primary === true) ?? emails.find(isWork) ?? emails[0];
  return textOf(chosen?.value) ?? (ADDRESS_PATTERN.test(userName) ? userName : null);
}

function emailObjects(resource: JsonObject): JsonObject[] {
  const { emails } = resource;
  return Array.isArray(emails) ? emails.filter((email) => isObject(email)) : [];
}

function isWork(email: JsonObject): boolean {
  return textOf(email.type)?.toLowerCase() === 'work';
}
