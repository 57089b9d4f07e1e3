import { inSentence, type PageTexts } from './texts.js';

export const SPANISH: PageTexts = {
  signUpTitle: 'Crea tu cuenta',
  profileTitle: 'Tu perfil',
  signUpButton: 'Crear cuenta',
  profileButton: 'Guardar cambios',
  faultPrefix: 'Error:',
  faultsHeading: 'Revisa tus respuestas',
  optional: '(opcional)',
  choose: 'Elige una opción',
  yes: 'Sí',
  no: 'No',
  addFirst: 'Añadir',
  addMore: 'Añadir otra entrada',
  addFirstNamed: (title) => `Añadir ${inSentence(title)}`,
  addMoreNamed: (title) => `Añadir otra entrada: ${inSentence(title)}`,
  remove: 'Quitar',
  removeRow: (label) => `Quitar ${label}`,
  onlyIf: (label, values) => `Solo si «${label}» es ${values}.`,
  doneSignUp: { title: 'Tu cuenta está lista', text: 'Gracias. Puedes cerrar esta página.' },
  doneProfile: {
    title: 'Tus cambios se han guardado',
    text: 'Gracias. Puedes cerrar esta página.',
  },
  expired: {
    title: 'Esta página ha caducado',
    text: 'Por tu seguridad, la dirección funciona durante un tiempo limitado. Vuelve al lugar de donde venías y empieza de nuevo.',
  },
  used: {
    title: 'Este formulario ya se envió',
    text: 'Tus respuestas están guardadas. No hace falta enviarlas otra vez.',
  },
  elsewhere: {
    title: 'Esta página se abrió en otro navegador',
    text: 'Por tu seguridad, solo funciona allí.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'Comprueba la dirección, o vuelve al lugar de donde venías y empieza de nuevo.',
  },
  forbidden: {
    title: 'No hemos podido comprobar que el formulario viene de ti',
    text: 'No se ha guardado nada. Permite las cookies de este sitio, abre el formulario otra vez y envíalo desde allí.',
  },
  tooLarge: {
    title: 'Es demasiado para este formulario',
    text: 'No se ha guardado nada. Vuelve atrás, acorta tus respuestas y envía el formulario otra vez.',
  },
  tooMany: {
    title: 'Demasiados intentos',
    text: 'No se ha guardado nada. Espera unos minutos, vuelve atrás y envía el formulario otra vez.',
  },
  unreadable: {
    title: 'No hemos podido leer lo que se envió',
    text: 'No se ha guardado nada. Vuelve atrás y envía el formulario otra vez.',
  },
  failed: {
    title: 'Lo sentimos, algo ha fallado',
    text: 'Tus respuestas no se han guardado. Inténtalo de nuevo en unos minutos.',
  },
  haveAccount: '¿Ya tienes una cuenta?',
  signIn: 'Iniciar sesión',
  goOn: 'Continuar',
  goBack: 'Volver',
  startAgain: 'Empezar de nuevo',
};
