import { counted, param, typeWords, type Catalog } from './catalog.js';

const TYPES = {
  string: 'ein Text',
  number: 'eine Zahl',
  integer: 'eine ganze Zahl',
  boolean: 'ja oder nein',
  object: 'eine Gruppe von Feldern',
  array: 'eine Liste',
  null: 'leer',
};

export const GERMAN: Catalog = {
  required: (f) => `„${f}“ muss ausgefüllt werden.`,
  minLength: (f, p) =>
    `„${f}“ braucht mindestens ${param(p, 'limit')} Zeichen, hat aber ${param(p, 'actual')}.`,
  pattern: (f) => `„${f}“ hat nicht die erwartete Form.`,
  'identifier.taken': (f) =>
    `„${f}“ ist schon vergeben. Wählen Sie etwas anderes oder melden Sie sich an.`,
  maxLength: (f, p) =>
    `„${f}“ darf höchstens ${param(p, 'limit')} Zeichen haben, hat aber ${param(p, 'actual')}.`,
  minimum: (f, p) => `„${f}“ muss mindestens ${param(p, 'limit')} sein.`,
  exclusiveMinimum: (f, p) => `„${f}“ muss größer als ${param(p, 'limit')} sein.`,
  maximum: (f, p) => `„${f}“ darf höchstens ${param(p, 'limit')} sein.`,
  exclusiveMaximum: (f, p) => `„${f}“ muss kleiner als ${param(p, 'limit')} sein.`,
  multipleOf: (f, p) => `„${f}“ muss ein Vielfaches von ${param(p, 'base')} sein.`,
  maxItems: (f, p) => `„${f}“ darf höchstens ${counted(p, 'limit', 'Eintrag', 'Einträge')} haben.`,
  minItems: (f, p) => `„${f}“ braucht mindestens ${counted(p, 'limit', 'Eintrag', 'Einträge')}.`,
  uniqueItems: (f) => `„${f}“ enthält einen Eintrag doppelt.`,
  type: (f, p) => `„${f}“ muss ${typeWords(p, TYPES, 'oder')} sein.`,
  'number.precision': (f) => `„${f}“ hat mehr Stellen, als genau gespeichert werden können.`,
  const: (f, p) =>
    p['expected'] === true
      ? `„${f}“ muss angekreuzt sein.`
      : `„${f}“ muss ${param(p, 'expected')} sein.`,
  'format.email': (f) => `„${f}“ muss eine E-Mail-Adresse sein, etwa name@example.com.`,
  'format.tel': (f) => `„${f}“ muss eine Telefonnummer mit Landesvorwahl sein, etwa +49 30 123456.`,
  'format.date': (f) => `„${f}“ muss ein Datum sein, etwa 2026-01-31.`,
  'format.date-time': (f) => `„${f}“ muss Datum und Uhrzeit sein, etwa 2026-01-31T13:05.`,
  'format.time': (f) => `„${f}“ muss eine Uhrzeit sein, etwa 13:05.`,
  'format.uri': (f) => `„${f}“ muss eine Webadresse sein, etwa https://example.com.`,
  format: (f, p) => `„${f}“ hat nicht das Format ${param(p, 'format')}.`,
  enum: (f, p) => `„${f}“ muss eines von diesen sein: ${param(p, 'allowed')}.`,
  oneOf: (f) => `„${f}“ passt zu mehreren Möglichkeiten, erlaubt ist nur eine.`,
  anyOf: (f) => `„${f}“ passt zu keiner der Möglichkeiten.`,
  not: (f) => `„${f}“ hat einen Wert, der nicht erlaubt ist.`,
  contains: (f) => `„${f}“ fehlt ein vorgeschriebener Eintrag.`,
  additionalProperties: (f) => `„${f}“ wird hier nicht erwartet.`,
  propertyNames: (f) => `„${f}“ hat einen Namen, der nicht erlaubt ist.`,
  minProperties: (f, p) => `„${f}“ braucht mindestens ${counted(p, 'limit', 'Feld', 'Felder')}.`,
  maxProperties: (f, p) => `„${f}“ darf höchstens ${counted(p, 'limit', 'Feld', 'Felder')} haben.`,
  'field.conflict': (f) => `„${f}“ wurde als ein Wert und zugleich als mehrere Felder gesendet.`,
  'field.index': (f, p) => `„${f}“ hat den Index „${param(p, 'index')}“, der keine Zahl ist.`,
  json: (f) => `„${f}“ enthält JSON-Text, der nicht lesbar ist.`,
  'json.duplicate': (f, p) => `„${f}“ enthält JSON-Text mit „${param(p, 'member')}“ doppelt.`,
  'json.reserved': (f, p) =>
    `„${f}“ enthält JSON-Text mit dem reservierten Namen „${param(p, 'member')}“.`,
  'limit.depth': (f, p) => `„${f}“ ist tiefer als ${param(p, 'limit')} Ebenen verschachtelt.`,
  'limit.rows': (f, p) => `„${f}“ hat mehr als ${param(p, 'limit')} Zeilen.`,
  'limit.fields': (f, p) => `„${f}“ hat mehr als ${param(p, 'limit')} Werte.`,
  'limit.name': (f, p) => `„${f}“ hat einen Namen von mehr als ${param(p, 'limit')} Bytes.`,
  'limit.value': (f, p) => `„${f}“ ist länger als ${param(p, 'limit')} Bytes.`,
  'limit.work': (f) => `„${f}“ hat zu viele Kombinationen, um gelesen zu werden.`,
  'text.control': (f) => `„${f}“ enthält Zeichen, die nicht gespeichert werden können.`,
  invalid: (f) => `„${f}“ ist nicht gültig.`,
};
