/** The request of an operation's example, in curl and in the client. */
import { type CodeSample, type Endpoint, type Parameter } from './document.js';
import { contentOf, credentialOf } from './operations.js';
import { block, json, literal, memberName } from './printed.js';
import { camelCased, variableOf } from './variables.js';

const FORM = 'application/x-www-form-urlencoded';

/**
 * A command that runs as it is in a shell with GATEHOUSE_URL and GATEHOUSE_KEY. Ids, which no example can
 * know, are variables too, such as KEY_ID.
 */
export function curlSample(endpoint: Endpoint): CodeSample {
  const { method, operation } = endpoint;
  const body = contentOf(operation.requestBody);
  const credential = credentialOf(operation);
  const isDefault = method === (body === undefined ? 'GET' : 'POST');
  const lines = [
    `curl ${isDefault ? '' : `-X ${method} `}"$GATEHOUSE_URL${addressOf(endpoint)}"`,
    ...(credential ? [`-H "${credential.header}: Bearer $${credential.variable}"`] : []),
    ...(body === undefined ? [] : bodyOptions(body.type, body.example)),
  ];
  return { lang: 'Shell', label: 'curl', source: lines.join(' \\\n  ') };
}

function bodyOptions(type: string, example: unknown): string[] {
  if (type === FORM) {
    return Object.entries(example as object).map(
      ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
    );
  }
  return [`-H 'Content-Type: ${type}'`, `-d ${quoted(json(example, '  '))}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A call of the client, which takes the path, the query and the body as one object.
 * @returns undefined for an operation that the client does not have
 */
export function clientSample(endpoint: Endpoint): CodeSample | undefined {
  const { path, operation } = endpoint;
  const name = operation['x-client-name'];
  if (name === undefined) return undefined;
  const { content = {} } = operation.requestBody ?? {};
  const [body] = Object.values(content);
  const hasTypes = Object.keys(content).length > 1;
  const fields = hasTypes ? { body: body?.example } : (body?.example as object | undefined);
  const members = [
    ...sentParameters(endpoint).map((parameter) => {
      const { example } = parameter.schema;
      const variable = camelCased(variableOf(path, parameter.name));
      return `${parameter.name}: ${example === undefined ? variable : JSON.stringify(example)}`;
    }),
    ...Object.entries(fields ?? {}).map(
      ([key, value]) => `${memberName(key)}: ${literal(value, '  ')}`,
    ),
  ];
  const input = members.length === 0 ? '' : block('{', members, '}');
  const call = `await gatehouse.${name}(${input});`;
  const isScim = credentialOf(operation)?.variable === 'SCIM_SECRET';
  const source = isScim ? `const gatehouse = createGatehouse({ key: scimSecret });\n${call}` : call;
  return { lang: 'TypeScript', label: 'TypeScript', source };
}

function addressOf(endpoint: Endpoint): string {
  const { path } = endpoint;
  const valueOf = (parameter: Parameter) => {
    const { example } = parameter.schema;
    return example === undefined
      ? `$${variableOf(path, parameter.name)}`
      : encodeURIComponent(String(example));
  };
  let address = path;
  let separator = '?';
  for (const parameter of sentParameters(endpoint)) {
    const { name } = parameter;
    if (parameter.in === 'path') address = address.replace(`{${name}}`, () => valueOf(parameter));
    else {
      address += `${separator}${name}=${valueOf(parameter)}`;
      separator = '&';
    }
  }
  // Before a colon, some shells read more than the name.
  return address.replace(/\$(\w+)(?=:)/, '${$1}');
}

/** Those that are required, or have an example. */
function sentParameters({ operation }: Endpoint): Parameter[] {
  const { parameters = [] } = operation;
  return parameters.filter(
    ({ in: place, required, schema }) =>
      place !== 'header' && (required || schema.example !== undefined),
  );
}
