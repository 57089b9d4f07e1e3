import { type JsonObject, type JsonValue } from '../json/json.js';
import {
  resourceTypeDocument,
  resourceTypeDocuments,
  schemaDocument,
  schemaDocuments,
  serviceProviderConfig,
} from './discovery.js';

const baseUrl = 'https://scim.example/d';
const limits = {
  baseUrl,
  bulkOperationsMax: 1000,
  bulkBytesMax: 1_048_576,
  filterResultsMax: 1000,
  pageSizeDefault: 100,
  pageSizeMax: 1000,
};

/** Characteristics by RFC 7643 section 7 that every attribute must state. */
function checkAttribute(definition: JsonObject, isSub: boolean): void {
  expect(definition).toMatchObject({
    name: expect.stringMatching(/^[$A-Za-z]\w*$/),
    description: expect.stringMatching(/\.$/),
    multiValued: expect.any(Boolean),
    required: expect.any(Boolean),
    caseExact: expect.any(Boolean),
    mutability: expect.stringMatching(/^(readOnly|readWrite|immutable|writeOnly)$/),
    returned: expect.stringMatching(/^(always|never|default|request)$/),
    uniqueness: expect.stringMatching(/^(none|server|global)$/),
  });
  const subs = definition.subAttributes as JsonObject[] | undefined;
  expect(subs !== undefined).toBe(definition.type === 'complex');
  expect(definition.referenceTypes !== undefined).toBe(definition.type === 'reference');
  subs?.forEach((sub) => checkAttribute(sub, true));
  expect(isSub && definition.type === 'complex' && definition.name !== 'subAttributes').toBe(false);
}

describe('schemaDocuments', () => {
  it('lists the schemas of resources and of discovery, each by its URN', () => {
    const documents = schemaDocuments(baseUrl);
    expect(documents.map(({ name }) => name)).toEqual([
      'User',
      'Group',
      'EnterpriseUser',
      'ServiceProviderConfig',
      'ResourceType',
      'Schema',
    ]);
    for (const document of documents) {
      const id = document.id as string;
      expect(document.meta).toEqual({
        resourceType: 'Schema',
        location: `${baseUrl}/Schemas/${id}`,
      });
      expect(schemaDocument(baseUrl, id.toUpperCase())).toEqual(document);
      (document.attributes as JsonObject[]).forEach((each) => checkAttribute(each, false));
    }
    expect(schemaDocument(baseUrl, 'urn:none')).toBeUndefined();
  });

  it.each<[string, string, JsonObject]>([
    ['User', 'userName', { required: true, caseExact: false, uniqueness: 'server' }],
    ['User', 'password', { mutability: 'writeOnly', returned: 'never' }],
    ['User', 'groups', { mutability: 'readOnly', multiValued: true }],
    ['User', 'emails', { multiValued: true, uniqueness: 'none' }],
    ['Group', 'displayName', { required: true }],
    ['Group', 'members', { multiValued: true, mutability: 'readWrite' }],
  ])('describes %s.%s', (schema, name, expected) => {
    const urn = `urn:ietf:params:scim:schemas:core:2.0:${schema}`;
    const attributes = schemaDocument(baseUrl, urn)!.attributes as JsonObject[];
    expect(attributes.find((each) => each.name === name)).toMatchObject(expected);
  });

  it.each([
    ['User', 'groups', 'type', { canonicalValues: ['direct'], mutability: 'readOnly' }],
    ['Group', 'members', 'display', { mutability: 'readOnly' }],
  ])('describes %s.%s.%s', (schema, name, sub, expected) => {
    const urn = `urn:ietf:params:scim:schemas:core:2.0:${schema}`;
    const attributes = schemaDocument(baseUrl, urn)!.attributes as JsonObject[];
    const { subAttributes } = attributes.find((each) => each.name === name)!;
    const found = (subAttributes as JsonObject[]).find((each) => each.name === sub);
    expect(found).toMatchObject(expected);
  });

  it('contains no null', () => {
    const text: JsonValue = JSON.stringify(schemaDocuments(baseUrl));
    expect(text).not.toContain('null');
  });
});

describe('resourceTypeDocuments', () => {
  it('describes users with the enterprise extension, and groups', () => {
    expect(resourceTypeDocuments(baseUrl)).toHaveLength(2);
    expect(resourceTypeDocument(baseUrl, 'User')).toMatchObject({
      id: 'User',
      endpoint: '/Users',
      schemaExtensions: [
        { schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', required: false },
      ],
      meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/User` },
    });
    expect(resourceTypeDocument(baseUrl, 'Widget')).toBeUndefined();
  });
});

describe('serviceProviderConfig', () => {
  it('lists the supported features and their limits', () => {
    expect(serviceProviderConfig({ ...limits, cursorTimeoutSeconds: 3600 })).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: false },
      pagination: { cursor: true, index: true, cursorTimeout: 3600 },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
      meta: { location: `${baseUrl}/ServiceProviderConfig` },
    });
    expect(serviceProviderConfig(limits).pagination).not.toHaveProperty('cursorTimeout');
  });
});
