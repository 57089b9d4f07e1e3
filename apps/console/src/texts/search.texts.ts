import { inLanguages } from './in-languages.js';

export const searchTexts = inLanguages({
  en: {
    none: 'Nothing was found.',
    hint: 'An id, the last characters of a key, a whole e-mail address of a form, or the beginning of a name, an owner, a tenant, or an address finds its records.',
    more: 'There are more: enter more of the text.',
    failed: (service: string) => `${service} could not be searched:`,
  },
  de: {
    none: 'Nichts gefunden.',
    hint: 'Eine Id, die letzten Zeichen eines Schlüssels, eine ganze E-Mail-Adresse eines Formulars oder der Anfang eines Namens, eines Inhabers, eines Mandanten oder einer Adresse findet die Einträge.',
    more: 'Es gibt mehr: Geben Sie mehr vom Text ein.',
    failed: (service) => `${service} ließen sich nicht durchsuchen:`,
  },
  fr: {
    none: 'Aucun résultat.',
    hint: 'Un identifiant, les derniers caractères d’une clé, une adresse e-mail entière d’un formulaire, ou le début d’un nom, d’un propriétaire, d’un client ou d’une adresse trouve ses entrées.',
    more: 'Il y en a d’autres : saisissez plus de texte.',
    failed: (service) => `${service} : recherche impossible :`,
  },
  es: {
    none: 'No se ha encontrado nada.',
    hint: 'Un id, los últimos caracteres de una clave, una dirección de correo entera de un formulario, o el comienzo de un nombre, un propietario, un cliente o una dirección encuentra sus registros.',
    more: 'Hay más: escriba más texto.',
    failed: (service) => `${service}: no se pudo buscar:`,
  },
});
