import { type ConsoleFrame } from '../site/console-frame.js';
import { formsTexts } from '../texts/forms.texts.js';

export const FORMS_PATH = '/forms';
export const IDENTITIES_PATH = `${FORMS_PATH}/identities`;

export function schemaPath(id: string): string {
  return `${FORMS_PATH}/schemas/${encodeURIComponent(id)}`;
}

export function schemasTrail({ language }: ConsoleFrame) {
  return [{ path: FORMS_PATH, text: formsTexts(language).forms }];
}
