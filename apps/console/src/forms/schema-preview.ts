/** The form of a schema, or why it has none. */
import { GatehouseError } from '@gatehouse/client';
import { Html, markup } from '@gatehouse/pages';
import { code } from '../parts/text.js';
import { type ConsoleVisit } from '../site/pages.js';
import { formsTexts } from '../texts/forms.texts.js';

interface Fault {
  /** In the request; empty for the whole of it. */
  readonly pointer: string;
  readonly message: string;
}

/** The service writes the HTML of the form, so that it is the one that people will see. */
export async function schemaPreview(visit: ConsoleVisit, schema: unknown): Promise<Html> {
  const { gatehouse, frame } = visit;
  const texts = formsTexts(frame.language);
  try {
    const preview = await gatehouse.schemas.preview(
      { schema: schema as Record<string, unknown> },
      { headers: { 'accept-language': frame.language } },
    );
    const { title, description, html, warnings } = preview;
    return markup`${warnings.length > 0 && faultList(texts.warnings, warnings)}
<h2>${title || texts.preview}</h2>
${description !== undefined && markup`<p>${description}</p>`}
${new Html(html)}`;
  } catch (error) {
    if (!isSchemaRefused(error)) throw error;
    return schemaFaults(visit, faultsOf(error));
  }
}

export function schemaFaults({ frame }: ConsoleVisit, faults: readonly Fault[]): Html {
  return faultList(formsTexts(frame.language).faults, faults);
}

/** Whether the service refused what a person wrote. */
export function isSchemaRefused(error: unknown): error is GatehouseError {
  return error instanceof GatehouseError && [400, 413, 422].includes(error.status);
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function faultsOf({ body, message }: GatehouseError): readonly Fault[] {
  const { errors = [{ pointer: '', message }] } = body as { errors?: readonly Fault[] };
  return errors;
}

function faultList(title: string, faults: readonly Fault[]): Html {
  return markup`<h2>${title}</h2>
<ul>${faults.map(
    ({ pointer, message }) =>
      markup`<li>${code(pointer.replace(/^\/schema/, '') || '/')} ${message}</li>`,
  )}</ul>`;
}
