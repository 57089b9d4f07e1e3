import { type SetupTexts } from './setup-texts.js';

export const FRENCH: SetupTexts = {
  openTitle: 'Connecter votre fournisseur d’identité',
  openText: (application = 'cette application') =>
    `Les pages suivantes montrent comment les utilisateurs et les groupes de votre organisation passent de votre fournisseur d’identité à ${application}. Il vous faut un accès administrateur au fournisseur.`,
  openTime: 'Prévoyez environ 15 minutes.',
  openOnce:
    'Ce lien ne s’ouvre qu’une fois. Continuez dans le navigateur où vous voulez terminer la configuration.',
  openButton: 'Continuer',

  stepsLabel: 'Étapes de la configuration',
  progress: (step, steps) => `Étape ${step} sur ${steps}`,
  back: 'Retour',
  next: 'Continuer',
  skip: 'Ignorer cette étape',
  toSetup: 'Retour à la configuration',

  providerTitle: 'Choisir votre fournisseur d’identité',
  providerText: (directory) => `Vous connectez « ${directory} ».`,
  providerMissing: 'Choisissez un fournisseur d’identité.',
  otherProvider: 'Un autre, compatible avec SCIM 2.0',
  faultPrefix: 'Erreur :',

  inProvider: (provider) => `Dans ${provider} :`,
  yourProvider: 'votre fournisseur d’identité',
  createToken: 'Créer un jeton',
  replaceToken:
    'Un nouveau jeton remplace le dernier. Si l’annuaire est utilisé, le dernier fonctionne encore 24 heures.',
  tokenBelow: (field) => `Créez un jeton, puis collez-le dans ${field}.`,
  tokenElsewhere: (field) =>
    `Dans ${field}, saisissez le jeton que vous donnent les personnes qui vous ont envoyé le lien.`,
  yourToken: 'Votre jeton',
  tokenOnce:
    'Copiez-le maintenant : il n’est affiché qu’une fois. Un clic le sélectionne en entier. Si vous le perdez, créez-en un nouveau.',
  notesTitle: 'Bon à savoir',

  mappingTitle: 'Choisir les attributs',
  mappingText:
    'En plus du nom et de l’adresse e-mail, l’application demande ces attributs. Indiquez l’attribut SCIM dans lequel votre fournisseur d’identité envoie chacun d’eux ; laissez vide ce que vous n’envoyez pas.',
  mappingSave: 'Enregistrer et continuer',
  mappingRefused: 'Indiquez le nom d’un attribut SCIM, par exemple title ou name.givenName.',
  mappingChanged:
    'Ces attributs ont été modifiés entre-temps. Votre saisie n’a pas été enregistrée ; voici ce qui s’applique maintenant.',

  groupsTitle: 'Choisir les groupes',
  groupsText:
    'L’application lit les utilisateurs de votre organisation. Choisissez quels groupes elle lit également.',
  groupsQuestion: 'Quels groupes ?',
  groupsAll: 'Tous les groupes',
  groupsSome: 'Seulement ces groupes :',
  groupsNames: 'Noms, adresses e-mail ou identifiants de groupes, un par ligne',
  groupsSave: 'Enregistrer et continuer',
  groupsRefused:
    'Saisissez au moins un groupe, un par ligne, de 512 caractères au plus chacun, et 1 000 groupes au plus.',
  groupsBoth:
    'Vous avez choisi tous les groupes, mais en avez nommé certains. Choisissez « Seulement ces groupes », ou retirez les noms.',
  groupsChanged:
    'Quelqu’un a modifié ce choix entre-temps. Votre saisie n’a pas été enregistrée ; voici ce qui s’applique maintenant.',
  groupsLater:
    'Les groupes que vous retirez de la liste sont supprimés dans l’application. S’ils sont nombreux, les personnes qui vous ont envoyé le lien doivent l’approuver.',

  rolesTitle: 'Attribuer des rôles aux groupes',
  rolesText:
    'Choisissez le rôle que les membres de chaque groupe obtiennent dans l’application. Les groupes contenus dans un groupe comptent aussi.',
  rolesNone: 'Aucun rôle',
  rolesNoGroups:
    'Aucun groupe n’est encore arrivé. Revenez lorsque la vérification affiche le premier.',
  rolesMore: (shown) =>
    `Voici les ${shown} premiers groupes par nom. Les personnes qui vous ont envoyé le lien peuvent attribuer des rôles aux autres.`,
  rolesPreview: 'Afficher ce qui change',
  rolesSave: 'Enregistrer',
  rolesSaveAndFinish: 'Enregistrer et terminer',
  rolesFinishOnly: 'Terminer sans enregistrer',
  rolesSaved:
    'Enregistré. Dans un grand annuaire, les utilisateurs obtiennent leurs rôles en quelques minutes.',
  rolesEffectTitle: 'Ce qui changerait',
  rolesGained: (users) =>
    users === 1 ? '1 utilisateur obtient' : `${users} utilisateurs obtiennent`,
  rolesLost: (users) => (users === 1 ? '1 utilisateur perd' : `${users} utilisateurs perdent`),
  rolesNoEffect: 'Aucun utilisateur n’obtient un autre rôle.',
  rolesPartial: (users) => `Seuls les ${users} premiers utilisateurs ont été comparés.`,
  rolesChanged:
    'Les rôles ont été modifiés entre-temps. Votre choix n’a pas été enregistré ; voici ce qui s’applique.',
  rolesTooMany: 'Il y a plus de groupes avec un rôle que possible. Rien n’a été enregistré.',

  checkTitle: 'Vérifier la connexion',
  checkText: 'Cette page montre ce qui arrive de votre fournisseur d’identité.',
  checks: {
    request: 'Première requête',
    user: 'Premier utilisateur',
    group: 'Premier groupe',
  },
  seen: 'reçu',
  seenRefused: 'reçue, mais refusée',
  notSeen: 'pas encore',
  groupOptional: 'Seulement si vous envoyez des groupes',
  otherRecognized: (recognized, chosen) =>
    `Les requêtes ressemblent à celles de ${recognized}, mais vous avez choisi ${chosen}. Vérifiez le fournisseur à la première étape.`,
  refusedTitle: 'Requêtes refusées',
  refusedText: 'Ces requêtes ont été refusées. Voici ce qu’il faut changer :',
  times: (count) => `${count} fois`,
  refreshing: (seconds) => `Cette page s’actualise toutes les ${seconds} secondes.`,
  stopRefreshing: 'Ne plus actualiser',
  startRefreshing: 'Actualiser automatiquement',
  checkAgain: 'Vérifier de nouveau',
  finish: 'Terminer',
  finishLater: (until) =>
    `Vous pouvez fermer cette page et revenir dans ce navigateur jusqu’au ${until}. Dès qu’une requête est acceptée, vous pouvez terminer ici.`,

  workspace: {
    accountOf: (domain) => `Utilisez un compte de l’organisation « ${domain} ».`,
    continueTo: (company) => `Continuer vers ${company}`,
    consentAgain:
      'Le consentement a été donné. Donnez-le de nouveau pour utiliser un autre compte.',
    problems: {
      refused:
        'Le consentement a été refusé, rien n’a donc été connecté. Si votre compte ne peut pas le donner, demandez à un administrateur de le faire dans ce navigateur.',
      expired:
        'Cela a pris plus de dix minutes ou était déjà terminé. Rien n’a été connecté. Recommencez avec le bouton.',
      unanswered:
        'Le fournisseur n’a pas donné de consentement, rien n’a donc été connecté. Recommencez avec le bouton.',
      incomplete:
        'Toutes les autorisations n’ont pas été accordées, rien n’a donc été connecté. Recommencez et accordez-les toutes.',
      wrong_account:
        'Le consentement a été donné pour une autre organisation, rien n’a donc été connecté. Connectez-vous avec un compte de la bonne.',
      failed:
        'Le fournisseur n’a pas donné d’accès, rien n’a donc été connecté. Réessayez dans quelques minutes. Si cela n’aide pas, adressez-vous aux personnes qui vous ont envoyé le lien.',
    },
    checkText: (provider) => `Cette page montre ce qui est lu dans ${provider}.`,
    checks: { consent: 'Consentement', users: 'Utilisateurs', groups: 'Groupes' },
    given: 'donné',
    read: (number) => `lus : ${number}`,
    same: 'inchangés',
    noneFound: 'Aucun des groupes choisis n’a été trouvé. Vérifiez leurs noms.',
    run: {
      queued: 'La première lecture commence bientôt.',
      listing: 'Les utilisateurs et les groupes sont en cours de lecture.',
      applying: 'Ce qui a été lu est en cours d’enregistrement.',
      held: 'Ce qui a été lu changerait beaucoup : les personnes qui vous ont envoyé le lien doivent l’approuver.',
      failed: 'La lecture a échoué. La raison :',
      discarded: 'Ce qui a été lu a été rejeté par les personnes qui vous ont envoyé le lien.',
      paused: 'La lecture continue plus tard d’elle-même. La raison :',
      unchanged: 'Tout a été lu ; rien n’a changé depuis la dernière fois.',
      succeeded: 'Tout a été lu et enregistré.',
    },
    whatToDo: {
      consent: 'L’accès n’a pas été donné ou a pris fin. Donnez de nouveau le consentement.',
      account:
        'Vérifiez que le compte est de la bonne organisation et a le rôle de la première étape, puis donnez de nouveau le consentement. Si la raison est un réglage de l’application, adressez-vous aux personnes qui vous ont envoyé le lien.',
    },
    toConsent: 'Donner de nouveau le consentement',
    finishLater: (until) =>
      `Vous pouvez fermer cette page et revenir dans ce navigateur jusqu’au ${until}. Dès que des utilisateurs ont été lus, vous pouvez terminer ici.`,
  },

  doneTitle: 'La configuration est terminée',
  connected: (directory, provider = 'votre fournisseur d’identité') =>
    `« ${directory} » est connecté à ${provider}.`,
  doneText: 'Les modifications arrivent désormais. Vous pouvez fermer cette page.',

  gone: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Il a déjà été ouvert, a expiré ou a été retiré. Si vous l’avez ouvert, continuez dans ce navigateur-là. Sinon, demandez un nouveau lien.',
  },
  foreign: {
    title: 'Ce consentement n’a pas commencé ici',
    text: 'Rien n’a été connecté. Continuez dans le navigateur où vous avez ouvert le lien et utilisez-y de nouveau le bouton. Si le lien a expiré ou a été retiré, demandez-en un nouveau.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Vérifiez l’adresse, ou demandez un nouveau lien.',
  },
  forbidden: {
    title: 'Nous n’avons pas pu vérifier que cela vient de vous',
    text: 'Rien n’a été modifié. Autorisez les cookies pour ce site, revenez en arrière et réessayez.',
  },
  tooMany: {
    title: 'Trop de requêtes',
    text: 'Rien n’a été modifié. Attendez une minute, puis rechargez la page.',
  },
  unreadable: {
    title: 'Nous n’avons pas pu lire cela',
    text: 'Rien n’a été modifié. Revenez en arrière et réessayez.',
  },
  failed: { title: 'Un problème est survenu', text: 'Réessayez dans quelques minutes.' },
};
