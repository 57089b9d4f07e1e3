import { inSentence, type PageTexts } from './texts.js';

export const ENGLISH: PageTexts = {
  signUpTitle: 'Create your account',
  profileTitle: 'Your profile',
  signUpButton: 'Create account',
  profileButton: 'Save changes',
  faultPrefix: 'Error:',
  faultsHeading: 'There is a problem',
  optional: '(optional)',
  choose: 'Please choose',
  yes: 'Yes',
  no: 'No',
  addFirst: 'Add',
  addMore: 'Add another',
  addFirstNamed: (title) => `Add ${inSentence(title)}`,
  addMoreNamed: (title) => `Add another ${inSentence(title)}`,
  remove: 'Remove',
  removeRow: (label) => `Remove ${label}`,
  onlyIf: (label, values) => `Only if “${label}” is ${values}.`,
  doneSignUp: { title: 'Your account is ready', text: 'Thank you. You can close this page.' },
  doneProfile: { title: 'Your changes are saved', text: 'Thank you. You can close this page.' },
  expired: {
    title: 'This page has expired',
    text: 'For your security the address works for a limited time. Go back to where you came from and start again.',
  },
  used: {
    title: 'This form was already sent',
    text: 'Your answers are saved. You do not need to send them again.',
  },
  elsewhere: {
    title: 'This page was opened in another browser',
    text: 'For your security it only works there.',
  },
  notFound: {
    title: 'Page not found',
    text: 'Check the address, or go back to where you came from and start again.',
  },
  forbidden: {
    title: 'We could not check that this form came from you',
    text: 'Nothing was saved. Allow cookies for this site, open the form again and send it from there.',
  },
  tooLarge: {
    title: 'That is too much for this form',
    text: 'Nothing was saved. Go back, shorten your answers and send the form again.',
  },
  tooMany: {
    title: 'Too many attempts',
    text: 'Nothing was saved. Wait some minutes, go back and send the form again.',
  },
  unreadable: {
    title: 'We could not read what was sent',
    text: 'Nothing was saved. Go back and send the form again.',
  },
  failed: {
    title: 'Sorry, something went wrong',
    text: 'Your answers were not saved. Try again in a few minutes.',
  },
  haveAccount: 'Do you already have an account?',
  signIn: 'Sign in',
  goOn: 'Continue',
  goBack: 'Go back',
  startAgain: 'Start again',
};
