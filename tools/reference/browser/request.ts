/** Sends the request of an operation from the page, prefilled with its example. */
import { type ApiDocument, type Endpoint, type Parameter } from '../document.js';
import { idIn } from '../ids.js';
import { contentOf, credentialOf, endpointsOf, serviceOf } from '../operations.js';
import { json } from '../printed.js';
import { variableOf } from '../variables.js';
import { find, make } from './elements.js';
import { share, sharedInput } from './shared-values.js';

/** The admin surface, which may be below a prefix. */
const SURFACE = new URL('..', import.meta.url);
const SHOWN_CHARACTERS_MAX = 100_000;
/** Longer than the gateway waits for any service. */
const TIMEOUT_MS = 90_000;

/** The operations of the document, which is loaded at the first use. */
let loading: Promise<Endpoint[]> | undefined;

export function addRequestForms(): void {
  for (const article of document.querySelectorAll('article:has(.samples)')) {
    const button = make('button', { type: 'button', className: 'secondary' }, ['Try it']);
    button.addEventListener('click', () => void open(article.id, button));
    find('.samples', HTMLElement, article).append(button);
  }
}

async function open(id: string, button: HTMLElement): Promise<void> {
  try {
    const endpoints = await (loading ??= load());
    const endpoint = endpoints.find(({ operation }) => operation.operationId === id) as Endpoint;
    const form = requestForm(endpoint, endpoints);
    button.replaceWith(form);
    find('input, textarea, button', HTMLElement, form).focus();
  } catch {
    loading = undefined;
    button.textContent = 'The document did not load. Try again';
  }
}

async function load(): Promise<Endpoint[]> {
  const response = await fetch(new URL('openapi.json', import.meta.url));
  return endpointsOf((await response.json()) as ApiDocument);
}

function requestForm(endpoint: Endpoint, endpoints: readonly Endpoint[]): HTMLElement {
  const { operation } = endpoint;
  const inputs = new Map(
    operation.parameters?.map((parameter) => [parameter, parameterInput(endpoint, parameter)]),
  );
  const credential = credentialOf(operation);
  const secret = { type: 'password', autocomplete: 'off', required: true } as const;
  const key = credential && sharedInput(credential.variable, secret);
  const content = contentOf(operation.requestBody);
  const body = content && make('textarea', { value: bodyText(content), spellcheck: false });
  const output = make('output');
  const form = make('form', {}, [
    ...(key ? [labeled(`${credential.variable}, which is not stored`, key)] : []),
    ...[...inputs].map(([{ name }, input]) => labeled(name, input)),
    ...(body ? [labeled(content.type, body)] : []),
    make('button', { className: 'primary' }, ['Send']),
    output,
  ]);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { url, headers } = filled(endpoint, inputs);
    if (key) headers.set(credential.header, `Bearer ${key.value}`);
    if (content) headers.set('content-type', content.type);
    const request = { method: endpoint.method, headers, body: body?.value };
    output.replaceChildren('Sending…');
    void send(url, request).then(({ elements, value }) => {
      output.replaceChildren(...elements);
      const known = idIn(value, endpoint, endpoints);
      if (known) share(`${serviceOf(operation)} ${known.variable}`, known.id);
    });
  });
  return form;
}

function parameterInput({ path, operation }: Endpoint, parameter: Parameter): HTMLInputElement {
  const { name, in: place, required = false, schema } = parameter;
  if (place === 'path' && schema.example === undefined) {
    const variable = variableOf(path, name);
    return sharedInput(`${serviceOf(operation)} ${variable}`, { required, placeholder: variable });
  }
  return make('input', { required, value: String(schema.example ?? '') });
}

function labeled(text: string, input: HTMLElement): HTMLElement {
  return make('label', {}, [text, input]);
}

function bodyText({ type, example }: { type: string; example?: unknown }): string {
  return type.endsWith('json')
    ? json(example)
    : new URLSearchParams(example as Record<string, string>).toString();
}

function filled(
  { path }: Endpoint,
  inputs: ReadonlyMap<Parameter, HTMLInputElement>,
): { url: URL; headers: Headers } {
  let address = path;
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const [{ name, in: place }, { value }] of inputs) {
    if (place === 'path') address = address.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (value !== '') (place === 'query' ? query : headers).set(name, value);
  }
  const url = new URL(`.${address}`, SURFACE);
  url.search = query.toString();
  return { url, headers };
}

/** @returns what to show, and the value of a success in JSON */
async function send(
  url: URL,
  request: RequestInit,
): Promise<{ elements: (Node | string)[]; value?: unknown }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, {
      ...request,
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const text = await response.text();
    const value = parsed(text);
    const headers = [...response.headers].map(([name, content]) => `${name}: ${content}`);
    const elements = [
      make('strong', {}, [`${response.status} ${response.statusText}`]),
      make('details', {}, [make('summary', {}, ['Headers']), pre(headers.join('\n'))]),
      pre((value === undefined ? text : json(value)).slice(0, SHOWN_CHARACTERS_MAX)),
    ];
    return { elements, value: response.ok ? value : undefined };
  } catch (error) {
    return { elements: [`No response: ${(error as Error).message}`] };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pre(text: string): HTMLElement {
  return make('pre', {}, [text]);
}
