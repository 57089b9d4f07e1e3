import { counted, param, typeWords, type Catalog } from './catalog.js';

const TYPES = {
  string: 'un texte',
  number: 'un nombre',
  integer: 'un nombre entier',
  boolean: 'oui ou non',
  object: 'un groupe de champs',
  array: 'une liste',
  null: 'vide',
};

export const FRENCH: Catalog = {
  required: (f) => `Le champ « ${f} » est obligatoire.`,
  minLength: (f, p) =>
    `« ${f} » doit compter au moins ${counted(p, 'limit', 'caractère', 'caractères')} (${param(p, 'actual')} saisis).`,
  pattern: (f) => `« ${f} » n’a pas la forme attendue.`,
  'identifier.taken': (f) => `« ${f} » est déjà utilisé. Choisissez autre chose ou connectez-vous.`,
  maxLength: (f, p) =>
    `« ${f} » doit compter au plus ${counted(p, 'limit', 'caractère', 'caractères')} (${param(p, 'actual')} saisis).`,
  minimum: (f, p) => `« ${f} » doit être supérieur ou égal à ${param(p, 'limit')}.`,
  exclusiveMinimum: (f, p) => `« ${f} » doit être supérieur à ${param(p, 'limit')}.`,
  maximum: (f, p) => `« ${f} » doit être inférieur ou égal à ${param(p, 'limit')}.`,
  exclusiveMaximum: (f, p) => `« ${f} » doit être inférieur à ${param(p, 'limit')}.`,
  multipleOf: (f, p) => `« ${f} » doit être un multiple de ${param(p, 'base')}.`,
  maxItems: (f, p) =>
    `« ${f} » ne peut avoir plus de ${counted(p, 'limit', 'élément', 'éléments')}.`,
  minItems: (f, p) => `« ${f} » doit avoir au moins ${counted(p, 'limit', 'élément', 'éléments')}.`,
  uniqueItems: (f) => `« ${f} » contient deux fois le même élément.`,
  type: (f, p) => `« ${f} » doit être ${typeWords(p, TYPES, 'ou')}.`,
  'number.precision': (f) => `« ${f} » a plus de chiffres qu’il n’est possible d’en conserver.`,
  const: (f, p) =>
    p['expected'] === true
      ? `La case « ${f} » doit être cochée.`
      : `« ${f} » doit valoir ${param(p, 'expected')}.`,
  'format.email': (f) => `« ${f} » doit être une adresse e-mail, comme nom@example.com.`,
  'format.tel': (f) =>
    `« ${f} » doit être un numéro de téléphone avec l’indicatif du pays, comme +33 1 23 45 67 89.`,
  'format.date': (f) => `« ${f} » doit être une date, comme 2026-01-31.`,
  'format.date-time': (f) => `« ${f} » doit être une date et une heure, comme 2026-01-31T13:05.`,
  'format.time': (f) => `« ${f} » doit être une heure, comme 13:05.`,
  'format.uri': (f) => `« ${f} » doit être une adresse web, comme https://example.com.`,
  format: (f, p) => `« ${f} » n’a pas le format ${param(p, 'format')}.`,
  enum: (f, p) => `« ${f} » doit être l’une de ces valeurs : ${param(p, 'allowed')}.`,
  oneOf: (f) => `« ${f} » correspond à plusieurs possibilités ; une seule est permise.`,
  anyOf: (f) => `« ${f} » ne correspond à aucune des possibilités.`,
  not: (f) => `« ${f} » a une valeur qui n’est pas permise.`,
  contains: (f) => `Il manque à « ${f} » un élément obligatoire.`,
  additionalProperties: (f) => `« ${f} » n’est pas attendu ici.`,
  propertyNames: (f) => `« ${f} » a un nom qui n’est pas permis.`,
  minProperties: (f, p) =>
    `« ${f} » doit avoir au moins ${counted(p, 'limit', 'champ', 'champs')}.`,
  maxProperties: (f, p) =>
    `« ${f} » ne peut avoir plus de ${counted(p, 'limit', 'champ', 'champs')}.`,
  'field.conflict': (f) =>
    `« ${f} » a été envoyé à la fois comme valeur et comme groupe de champs.`,
  'field.index': (f, p) => `« ${f} » a l’indice « ${param(p, 'index')} », qui n’est pas un nombre.`,
  json: (f) => `« ${f} » contient un texte JSON illisible.`,
  'json.duplicate': (f, p) =>
    `« ${f} » contient un texte JSON où « ${param(p, 'member')} » figure deux fois.`,
  'json.reserved': (f, p) =>
    `« ${f} » contient un texte JSON avec le nom réservé « ${param(p, 'member')} ».`,
  'limit.depth': (f, p) => `« ${f} » dépasse ${param(p, 'limit')} niveaux d’imbrication.`,
  'limit.rows': (f, p) => `« ${f} » a plus de ${param(p, 'limit')} lignes.`,
  'limit.fields': (f, p) => `« ${f} » a plus de ${param(p, 'limit')} valeurs.`,
  'limit.name': (f, p) => `« ${f} » a un nom de plus de ${param(p, 'limit')} octets.`,
  'limit.value': (f, p) => `« ${f} » dépasse ${param(p, 'limit')} octets.`,
  'limit.work': (f) => `« ${f} » a trop de combinaisons pour être lu.`,
  'text.control': (f) => `« ${f} » contient des caractères qui ne peuvent être conservés.`,
  invalid: (f) => `« ${f} » n’est pas valide.`,
};
