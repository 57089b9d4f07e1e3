/** Reads key links. One error of status 400 names every invalid field. */
import { InputReader } from '@gatehouse/kit/input';
import { LINK_ACTIONS } from '@gatehouse/schemas';
import { type KeyLinkSettings, USER_ATTRIBUTES } from '../../key-links/key-link.types.js';
import { STRICT } from '../body.input.js';
import { isAttributeName } from '../directories/attribute-mapping.input.js';
import { scopeText } from '../directories/directory.input.js';

const PREFIX = { max: 128 };
const DOMAINS_MAX = 100;
const IS_DOMAIN = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const ADDRESSES = ['email', 'userName'];
const UNBOUNDED =
  'is set by the identity provider, which could name any actor: bound it by actor_prefix, or by ' +
  'email_domains for email and userName, or send "all_actors": true';

/**
 * All attributes but the id come from the identity provider of the tenant, so they must be bound to
 * actors of the tenant.
 *
 * @throws DomainError 400
 */
export function readKeyLink(json: unknown): KeyLinkSettings {
  const input = InputReader.of(json, STRICT);
  const link = {
    tenant: scopeText(input, 'tenant'),
    product: scopeText(input, 'product'),
    attribute: attributeOf(input),
    actor_prefix: prefixOf(input),
    email_domains: domainsOf(input),
    all_actors: input.boolean('all_actors') ?? false,
    on_deactivate: input.oneOf('on_deactivate', LINK_ACTIONS) ?? 'off',
    on_delete: input.oneOf('on_delete', LINK_ACTIONS) ?? 'off',
  };
  const hasDomains = link.email_domains.length > 0;
  if (hasDomains && !ADDRESSES.includes(link.attribute)) {
    input.addViolation('email_domains', 'can only bound email and userName', undefined);
  }
  const isBound = link.attribute === 'id' || link.actor_prefix !== '' || hasDomains;
  input.throwIfInvalid();
  if (!isBound && !link.all_actors) input.addViolation('attribute', UNBOUNDED, undefined);
  input.throwIfInvalid();
  return link;
}

function attributeOf(input: InputReader): string {
  const name = input.requiredText('attribute');
  if (name === '' || isAttributeName(name)) return name;
  const description = `must be one of ${USER_ATTRIBUTES.join(', ')}, or the name of a custom attribute`;
  return input.addViolation('attribute', description, '');
}

/** A prefix that ends within a word would be one of other words, too: `acme` of `acme2:5`. */
function prefixOf(input: InputReader): string {
  const prefix = input.text('actor_prefix', PREFIX);
  if (!/[\p{L}\p{N}]$/u.test(prefix)) return prefix;
  return input.addViolation('actor_prefix', 'must end with a separator, such as acme:', '');
}

function domainsOf(input: InputReader): string[] {
  const domains = input.list('email_domains', { max: DOMAINS_MAX }).map((domain) => {
    const text = typeof domain === 'string' ? domain.toLowerCase() : '';
    return IS_DOMAIN.test(text)
      ? text
      : input.addViolation('email_domains', 'must be domains such as example.com', '');
  });
  return [...new Set(domains)];
}
