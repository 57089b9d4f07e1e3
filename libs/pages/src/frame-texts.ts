import { type Language } from './languages.js';

/** Texts around the content of every page. */
export interface FrameTexts {
  terms: string;
  privacy: string;
  /** The name of the request id, for support requests. */
  reference: string;
  toApplication: string;
  /** A browser that keeps no cookies. */
  noCookies: { title: string; text: string };
}

const CATALOGS: Readonly<Record<Language, FrameTexts>> = {
  en: {
    terms: 'Terms',
    privacy: 'Privacy',
    reference: 'Reference',
    toApplication: 'Back to the application',
    noCookies: {
      title: 'Your browser blocks cookies',
      text: 'These pages need one. The address still works: allow cookies for this site, go back, load the page again, and press the button.',
    },
  },
  de: {
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
    reference: 'Vorgang',
    toApplication: 'Zurück zur Anwendung',
    noCookies: {
      title: 'Ihr Browser blockiert Cookies',
      text: 'Diese Seiten brauchen ein Cookie. Die Adresse gilt weiterhin: Erlauben Sie Cookies für diese Website, gehen Sie zurück, laden Sie die Seite neu, und drücken Sie die Schaltfläche.',
    },
  },
  fr: {
    terms: 'Conditions d’utilisation',
    privacy: 'Confidentialité',
    reference: 'Référence',
    toApplication: 'Retour à l’application',
    noCookies: {
      title: 'Votre navigateur bloque les cookies',
      text: 'Ces pages en ont besoin. L’adresse fonctionne toujours : autorisez les cookies pour ce site, revenez en arrière, rechargez la page et appuyez sur le bouton.',
    },
  },
  es: {
    terms: 'Condiciones',
    privacy: 'Privacidad',
    reference: 'Referencia',
    toApplication: 'Volver a la aplicación',
    noCookies: {
      title: 'Su navegador bloquea las cookies',
      text: 'Estas páginas necesitan una. La dirección sigue funcionando: permita las cookies de este sitio, vuelva atrás, cargue la página de nuevo y pulse el botón.',
    },
  },
};

export function frameTexts(language: Language): FrameTexts {
  return CATALOGS[language];
}
