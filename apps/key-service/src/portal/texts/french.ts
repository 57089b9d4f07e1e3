import { type PortalTexts } from './portal-texts.js';

export const FRENCH: PortalTexts = {
  title: 'Clés d’API',
  openText: 'Les pages suivantes vous permettent de gérer vos clés d’API.',
  openOnce:
    'Cette adresse ne s’ouvre qu’une fois. Continuez dans le navigateur où vous voulez gérer vos clés.',
  openButton: 'Continuer',

  listText: 'Avec ces clés, des programmes appellent cette application en votre nom.',
  empty: 'Il n’y a pas encore de clé.',
  more: 'Clés plus anciennes',
  create: 'Créer une clé',
  back: 'Retour aux clés',
  until: (time) => `Vous pouvez utiliser ces pages jusqu’au ${time}.`,

  statuses: {
    KEY_STATUS_UNSPECIFIED: 'inconnue',
    KEY_STATUS_ACTIVE: 'active',
    KEY_STATUS_PAUSED: 'suspendue',
    KEY_STATUS_EXPIRED: 'expirée',
    KEY_STATUS_REVOKED: 'révoquée',
  },
  status: 'État',
  created: 'Créée',
  lastUsed: 'Dernière utilisation',
  never: 'jamais',
  expires: 'Expire',
  noExpiry: 'n’expire pas',
  preview: 'Clé',
  scopes: 'Autorisations',
  noScopes: 'aucune',
  scopesHint:
    'Choisissez ce dont ont besoin les programmes qui utilisent la clé. Aucune autorisation ne peut être ajoutée plus tard.',
  limits: 'Limites',

  newTitle: 'Créer une clé',
  name: 'Nom',
  nameHint: 'Où la clé est utilisée, par exemple « Rapport de nuit ».',
  nameFault: 'Saisissez un nom de 1 à 255 caractères.',
  faultPrefix: 'Erreur :',

  secretTitle: 'Votre clé',
  secretOnce: 'Copiez-la maintenant : elle n’est affichée qu’une fois.',
  secretGone: 'Cette clé a déjà été créée et n’est plus affichée.',
  lostReplace: 'Si elle est perdue, remplacez-la.',
  lostCreate: 'Si elle est perdue, créez-en une autre.',

  usageTitle: (days) => `Utilisation des ${days} derniers jours`,
  usageNone: 'Aucune requête pendant cette période.',
  usageAccepted: 'acceptées',
  usageRefused: 'refusées',
  usageDay: 'Jour',
  usageTable: 'Sous forme de tableau',
  usageLabel: (highest) => `Requêtes par jour ; le maximum en un jour : ${highest}`,

  rotateTitle: 'Remplacer cette clé',
  rotateText: 'Une nouvelle clé reprend son nom et ses autorisations.',
  rotateNow: 'Remplacer maintenant : cette clé cesse aussitôt de fonctionner',
  rotateLater: 'Remplacer : cette clé fonctionne encore 24 heures',
  rotateOther:
    'Cette clé a des autorisations qui ne peuvent pas être accordées ici ; elle ne peut donc pas être remplacée ici.',
  revokeTitle: 'Révoquer cette clé',
  revokeText: 'Les programmes qui l’utilisent cessent aussitôt de fonctionner.',
  revoke: 'Révoquer',
  revokeQuestion: 'Voulez-vous révoquer cette clé ?',
  revokeUndo:
    'Vous ne pouvez pas annuler cette action. Un administrateur le peut, dans l’heure qui suit.',
  revoked:
    'Cette clé est révoquée. Si c’était une erreur, prévenez votre administrateur dans l’heure : il peut annuler la révocation.',
  replaceQuestion: 'Voulez-vous remplacer cette clé maintenant ?',
  replaceText:
    'Les programmes qui l’utilisent cessent aussitôt de fonctionner, jusqu’à ce qu’ils aient la nouvelle clé. Cette action est irréversible.',
  replace: 'Remplacer maintenant',
  replaced: 'L’ancienne clé ne fonctionne plus.',
  cancel: 'Annuler',
  keysLimit: (max) => `Vous avez autant de clés que permis (${max}).`,
  keysLimitRevoke: 'Révoquez-en une pour en créer une autre.',
  newKeysLimit: (max) =>
    `Vous avez créé en 24 heures autant de clés que permis (${max}). Réessayez demain.`,

  gone: {
    title: 'Cette adresse ne fonctionne plus',
    text: 'Elle a déjà été ouverte, a expiré ou a été retirée. Retournez à l’application pour en obtenir une nouvelle.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Vérifiez l’adresse ou retournez à l’application.',
  },
  forbidden: {
    title: 'Ce n’est pas autorisé ici',
    text: 'Rien n’a été modifié. Si vous venez de nos pages, autorisez les cookies de ce site, revenez en arrière et réessayez.',
  },
  conflict: {
    title: 'Ce n’est pas possible maintenant',
    text: 'Rien n’a été modifié. La clé a changé entre-temps : retournez aux clés pour voir son état.',
  },
  tooMany: {
    title: 'Trop de requêtes',
    text: 'Rien n’a été modifié. Attendez une minute, puis rechargez la page.',
  },
  unreadable: {
    title: 'Nous n’avons pas pu lire cela',
    text: 'Rien n’a été modifié. Revenez en arrière et réessayez.',
  },
  failed: { title: 'Une erreur s’est produite', text: 'Réessayez dans quelques minutes.' },
};
