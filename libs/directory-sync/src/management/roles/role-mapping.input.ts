import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { STRICT } from '../body.input.js';
import {
  type GroupChoice,
  ROLE_MODES,
  type RoleMapping,
  type RoleRule,
} from '../../roles/role.types.js';

export const RULES_MAX = 100;
export const ROLE_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 512;
const PRIORITY = { min: -1_000_000, max: 1_000_000 };
const FIELDS = ['default_role', 'mode', 'rules'];
const CHOICES = ['id', 'external_id', 'display_name'] as const;

/** Reads a whole mapping: what is absent gets its default. */
export function readRoleMapping(json: unknown): RoleMapping {
  const input = InputReader.of(json, STRICT);
  input.allow(FIELDS);
  input.nullable(['default_role']);
  const mapping: RoleMapping = {
    default_role: input.text('default_role', { max: ROLE_CHARACTERS_MAX }).trim() || null,
    mode: input.oneOf('mode', ROLE_MODES) ?? 'all',
    rules: [],
  };
  if (!input.isPresent('rules')) input.addViolation('rules', 'is required', undefined);
  const sent = input.list('rules', { max: RULES_MAX });
  input.throwIfInvalid();
  return { ...mapping, rules: sent.map((rule, index) => readRule(rule, index)) };
}

function readRule(json: unknown, index: number): RoleRule {
  const input = InputReader.of(json, STRICT, `rules[${index}]`);
  const role = input.requiredText('role', { max: ROLE_CHARACTERS_MAX }).trim();
  const priority = input.integer('priority', PRIORITY) ?? 0;
  const group = readGroup(input);
  input.throwIfInvalid();
  return { group, role, priority };
}

function readGroup(input: InputReader): GroupChoice {
  const none = { id: '' };
  if (input.raw('group') === undefined) return input.addViolation('group', REQUIRED, none);
  const group = input.child('group');
  if (!group) return none;
  const [name, more] = CHOICES.filter((choice) => group.isPresent(choice));
  group.allow(CHOICES);
  if (name === undefined || more !== undefined) return input.addViolation('group', REQUIRED, none);
  const value = group.requiredText(name, { max: NAME_CHARACTERS_MAX });
  if (name === 'id' && value !== '' && !isUuid(value)) {
    group.addViolation('id', 'must be a UUID', '');
  }
  return { [name]: value } as unknown as GroupChoice;
}

const REQUIRED = 'must have one of id, external_id and display_name';
