import { counted, param, typeWords, type Catalog } from './catalog.js';

const TYPES = {
  string: 'un texto',
  number: 'un número',
  integer: 'un número entero',
  boolean: 'sí o no',
  object: 'un grupo de campos',
  array: 'una lista',
  null: 'vacío',
};

export const SPANISH: Catalog = {
  required: (f) => `El campo «${f}» es obligatorio.`,
  minLength: (f, p) =>
    `«${f}» debe tener al menos ${counted(p, 'limit', 'carácter', 'caracteres')}; tiene ${param(p, 'actual')}.`,
  pattern: (f) => `«${f}» no tiene la forma esperada.`,
  'identifier.taken': (f) => `«${f}» ya está en uso. Elija otro, o inicie sesión si es suyo.`,
  maxLength: (f, p) =>
    `«${f}» debe tener como máximo ${counted(p, 'limit', 'carácter', 'caracteres')}; tiene ${param(p, 'actual')}.`,
  minimum: (f, p) => `«${f}» debe ser mayor o igual que ${param(p, 'limit')}.`,
  exclusiveMinimum: (f, p) => `«${f}» debe ser mayor que ${param(p, 'limit')}.`,
  maximum: (f, p) => `«${f}» debe ser menor o igual que ${param(p, 'limit')}.`,
  exclusiveMaximum: (f, p) => `«${f}» debe ser menor que ${param(p, 'limit')}.`,
  multipleOf: (f, p) => `«${f}» debe ser múltiplo de ${param(p, 'base')}.`,
  maxItems: (f, p) =>
    `«${f}» puede tener como máximo ${counted(p, 'limit', 'elemento', 'elementos')}.`,
  minItems: (f, p) => `«${f}» debe tener al menos ${counted(p, 'limit', 'elemento', 'elementos')}.`,
  uniqueItems: (f) => `«${f}» contiene dos veces el mismo elemento.`,
  type: (f, p) => `«${f}» debe ser ${typeWords(p, TYPES, 'o')}.`,
  'number.precision': (f) => `«${f}» tiene más cifras de las que se pueden guardar con exactitud.`,
  const: (f, p) =>
    p['expected'] === true
      ? `La casilla «${f}» debe estar marcada.`
      : `«${f}» debe ser ${param(p, 'expected')}.`,
  'format.email': (f) => `«${f}» debe ser un correo electrónico, como nombre@example.com.`,
  'format.tel': (f) =>
    `«${f}» debe ser un número de teléfono con el prefijo del país, como +34 910 123 456.`,
  'format.date': (f) => `«${f}» debe ser una fecha, como 2026-01-31.`,
  'format.date-time': (f) => `«${f}» debe ser una fecha y una hora, como 2026-01-31T13:05.`,
  'format.time': (f) => `«${f}» debe ser una hora, como 13:05.`,
  'format.uri': (f) => `«${f}» debe ser una dirección web, como https://example.com.`,
  format: (f, p) => `«${f}» no tiene el formato ${param(p, 'format')}.`,
  enum: (f, p) => `«${f}» debe ser uno de estos valores: ${param(p, 'allowed')}.`,
  oneOf: (f) => `«${f}» encaja en varias alternativas; solo se permite una.`,
  anyOf: (f) => `«${f}» no encaja en ninguna de las alternativas.`,
  not: (f) => `«${f}» tiene un valor que no está permitido.`,
  contains: (f) => `A «${f}» le falta un elemento obligatorio.`,
  additionalProperties: (f) => `«${f}» no se espera aquí.`,
  propertyNames: (f) => `«${f}» tiene un nombre que no está permitido.`,
  minProperties: (f, p) => `«${f}» debe tener al menos ${counted(p, 'limit', 'campo', 'campos')}.`,
  maxProperties: (f, p) =>
    `«${f}» puede tener como máximo ${counted(p, 'limit', 'campo', 'campos')}.`,
  'field.conflict': (f) => `«${f}» se envió a la vez como un valor y como varios campos.`,
  'field.index': (f, p) => `«${f}» tiene el índice «${param(p, 'index')}», que no es un número.`,
  json: (f) => `«${f}» contiene un texto JSON que no se puede leer.`,
  'json.duplicate': (f, p) =>
    `«${f}» contiene un texto JSON con «${param(p, 'member')}» dos veces.`,
  'json.reserved': (f, p) =>
    `«${f}» contiene un texto JSON con el nombre reservado «${param(p, 'member')}».`,
  'limit.depth': (f, p) => `«${f}» supera los ${param(p, 'limit')} niveles de anidamiento.`,
  'limit.rows': (f, p) => `«${f}» tiene más de ${param(p, 'limit')} filas.`,
  'limit.fields': (f, p) => `«${f}» tiene más de ${param(p, 'limit')} valores.`,
  'limit.name': (f, p) => `«${f}» tiene un nombre de más de ${param(p, 'limit')} bytes.`,
  'limit.value': (f, p) => `«${f}» supera los ${param(p, 'limit')} bytes.`,
  'limit.work': (f) => `«${f}» tiene demasiadas combinaciones para leerlo.`,
  'text.control': (f) => `«${f}» contiene caracteres que no se pueden guardar.`,
  invalid: (f) => `«${f}» no es válido.`,
};
