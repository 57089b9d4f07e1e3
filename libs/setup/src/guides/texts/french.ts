import { type GuideTexts } from './guide-texts.js';

export const FRENCH: GuideTexts = {
  steps: {
    app: 'Créer l’application',
    connect: 'Saisir l’adresse et le jeton',
    attributes: 'Vérifier ce qui est envoyé',
    people: 'Choisir les personnes et les groupes',
    start: 'Démarrer la synchronisation',
    account: 'Ce qui est lu, et avec quel compte',
    consent: 'Donner le consentement',
  },
  open: (path) => `Allez à ${path}.`,
  press: (button) => `Sélectionnez ${button}.`,
  find: (name) => `Recherchez ${name} et sélectionnez-le.`,
  enter: (field) => `Dans ${field}, saisissez :`,
  choose: (field, option) => `Réglez ${field} sur ${option}.`,
  turnOn: (names) => `Activez ${names}.`,
  review: 'Vérifiez ce que l’application demande :',
  address: 'l’adresse de l’annuaire',
  token: 'le jeton',
  advice: {
    token: ({ token }) =>
      `Le jeton est incorrect. Créez-en un nouveau à l’étape « Saisir l’adresse et le jeton » et saisissez-le dans **${token}**, sans le mot Bearer et sans espaces.`,
    forbidden: () =>
      'L’annuaire n’accepte pas cela pour le moment. Adressez-vous aux personnes qui vous ont envoyé le lien.',
    duplicate: ({ mapping }) =>
      `Un utilisateur ou un groupe de ce nom existe déjà. Deux comptes ne doivent pas avoir le même nom d’utilisateur : vérifiez l’attribut associé à \`userName\` sous **${mapping}**.`,
    filter: ({ mapping }) =>
      `La recherche n’a pas pu être lue. Les utilisateurs se retrouvent par \`userName\` : vérifiez l’attribut de correspondance sous **${mapping}**.`,
    value: ({ mapping, retry }) =>
      `Une valeur manque ou n’a pas la bonne forme. Corrigez l’attribut que le message nomme, chez la personne ou sous **${mapping}**. Renvoyez-le ensuite : **${retry}**.`,
    syntax: ({ mapping }) =>
      `La requête n’a pas pu être lue. Annulez les modifications de modèles et d’expressions sous **${mapping}**.`,
    readOnly: ({ mapping }) =>
      `Un attribut qui ne peut pas être modifié a été envoyé. Retirez-le sous **${mapping}**.`,
    address: ({ address }) =>
      `L’adresse n’est pas complète. Copiez-la de nouveau dans **${address}**, sans rien ajouter.`,
    tooLarge: () =>
      'La requête est trop grande. Envoyez moins de membres ou d’attributs à la fois.',
    tooMany: () =>
      'Trop de requêtes sont arrivées à la fois. Le fournisseur les répète ; vous n’avez rien à faire.',
    server: () => 'C’est une erreur de notre côté. Le fournisseur répète la requête.',
    other: ({ retry }) =>
      `Vérifiez ce que dit le message, puis renvoyez la modification : **${retry}**.`,
  },
};
