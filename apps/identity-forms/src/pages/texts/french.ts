import { inSentence, type PageTexts } from './texts.js';

export const FRENCH: PageTexts = {
  signUpTitle: 'Créer votre compte',
  profileTitle: 'Votre profil',
  signUpButton: 'Créer le compte',
  profileButton: 'Enregistrer',
  faultPrefix: 'Erreur :',
  faultsHeading: 'Vérifiez vos réponses',
  optional: '(facultatif)',
  choose: 'Choisissez',
  yes: 'Oui',
  no: 'Non',
  addFirst: 'Ajouter',
  addMore: 'Ajouter une autre entrée',
  addFirstNamed: (title) => `Ajouter : ${inSentence(title)}`,
  addMoreNamed: (title) => `Ajouter encore : ${inSentence(title)}`,
  remove: 'Supprimer',
  removeRow: (label) => `Supprimer ${label}`,
  onlyIf: (label, values) => `Seulement si « ${label} » est ${values}.`,
  doneSignUp: { title: 'Votre compte est prêt', text: 'Merci. Vous pouvez fermer cette page.' },
  doneProfile: {
    title: 'Vos modifications sont enregistrées',
    text: 'Merci. Vous pouvez fermer cette page.',
  },
  expired: {
    title: 'Cette page a expiré',
    text: 'Pour votre sécurité, l’adresse ne fonctionne que pour une durée limitée. Revenez à votre point de départ et recommencez.',
  },
  used: {
    title: 'Ce formulaire a déjà été envoyé',
    text: 'Vos réponses sont enregistrées. Il est inutile de les envoyer de nouveau.',
  },
  elsewhere: {
    title: 'Cette page a été ouverte dans un autre navigateur',
    text: 'Pour votre sécurité, elle ne fonctionne que dans ce dernier.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Vérifiez l’adresse, ou revenez à votre point de départ et recommencez.',
  },
  forbidden: {
    title: 'Nous n’avons pas pu vérifier que ce formulaire vient de vous',
    text: 'Rien n’a été enregistré. Autorisez les cookies pour ce site, rouvrez le formulaire et envoyez-le depuis cette page.',
  },
  tooLarge: {
    title: 'C’est trop pour ce formulaire',
    text: 'Rien n’a été enregistré. Revenez en arrière, raccourcissez vos réponses et renvoyez le formulaire.',
  },
  tooMany: {
    title: 'Trop de tentatives',
    text: 'Rien n’a été enregistré. Attendez quelques minutes, revenez en arrière et renvoyez le formulaire.',
  },
  unreadable: {
    title: 'Nous n’avons pas pu lire l’envoi',
    text: 'Rien n’a été enregistré. Revenez en arrière et renvoyez le formulaire.',
  },
  failed: {
    title: 'Désolé, une erreur est survenue',
    text: 'Vos réponses n’ont pas été enregistrées. Réessayez dans quelques minutes.',
  },
  haveAccount: 'Vous avez déjà un compte ?',
  signIn: 'Se connecter',
  goOn: 'Continuer',
  goBack: 'Retour',
  startAgain: 'Recommencer',
};
