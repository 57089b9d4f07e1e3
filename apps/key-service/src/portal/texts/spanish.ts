import { type PortalTexts } from './portal-texts.js';

export const SPANISH: PortalTexts = {
  title: 'Claves de API',
  openText: 'En las páginas siguientes puede gestionar sus claves de API.',
  openOnce:
    'Esta dirección se abre una sola vez. Continúe en el navegador en el que quiera gestionar las claves.',
  openButton: 'Continuar',

  listText: 'Con estas claves, los programas llaman a esta aplicación en su nombre.',
  empty: 'Todavía no hay claves.',
  more: 'Claves más antiguas',
  create: 'Crear una clave',
  back: 'Volver a las claves',
  until: (time) => `Puede usar estas páginas hasta el ${time}.`,

  statuses: {
    KEY_STATUS_UNSPECIFIED: 'desconocida',
    KEY_STATUS_ACTIVE: 'activa',
    KEY_STATUS_PAUSED: 'en pausa',
    KEY_STATUS_EXPIRED: 'caducada',
    KEY_STATUS_REVOKED: 'revocada',
  },
  status: 'Estado',
  created: 'Creada',
  lastUsed: 'Último uso',
  never: 'nunca',
  expires: 'Caduca',
  noExpiry: 'no caduca',
  preview: 'Clave',
  scopes: 'Permisos',
  noScopes: 'ninguno',
  scopesHint:
    'Elija lo que necesitan los programas que usan la clave. Después no se pueden añadir permisos.',
  limits: 'Límites',

  newTitle: 'Crear una clave',
  name: 'Nombre',
  nameHint: 'Dónde se usa la clave, por ejemplo «Informe nocturno».',
  nameFault: 'Escriba un nombre de 1 a 255 caracteres.',
  faultPrefix: 'Error:',

  secretTitle: 'Su clave',
  secretOnce: 'Cópiela ahora: solo se muestra una vez.',
  secretGone: 'Esta clave ya se creó y no se vuelve a mostrar.',
  lostReplace: 'Si se ha perdido, sustitúyala.',
  lostCreate: 'Si se ha perdido, cree otra.',

  usageTitle: (days) => `Uso en los últimos ${days} días`,
  usageNone: 'Ninguna solicitud en este periodo.',
  usageAccepted: 'aceptadas',
  usageRefused: 'rechazadas',
  usageDay: 'Día',
  usageTable: 'En forma de tabla',
  usageLabel: (highest) => `Solicitudes por día; el máximo en un día: ${highest}`,

  rotateTitle: 'Sustituir esta clave',
  rotateText: 'Una clave nueva conserva su nombre y sus permisos.',
  rotateNow: 'Sustituir ahora: esta clave deja de funcionar de inmediato',
  rotateLater: 'Sustituir: esta clave funciona otras 24 horas',
  rotateOther:
    'Esta clave tiene permisos que no se pueden dar aquí, por lo que no se puede sustituir aquí.',
  revokeTitle: 'Revocar esta clave',
  revokeText: 'Los programas que la usan dejan de funcionar de inmediato.',
  revoke: 'Revocar',
  revokeQuestion: '¿Quiere revocar esta clave?',
  revokeUndo: 'Usted no puede deshacerlo. Un administrador sí, en el plazo de una hora.',
  revoked:
    'Esta clave está revocada. Si fue un error, avise a su administrador en el plazo de una hora: puede deshacerlo.',
  replaceQuestion: '¿Quiere sustituir esta clave ahora?',
  replaceText:
    'Los programas que la usan dejan de funcionar de inmediato, hasta que tengan la clave nueva. Esto no se puede deshacer.',
  replace: 'Sustituir ahora',
  replaced: 'La clave anterior ha dejado de funcionar.',
  cancel: 'Cancelar',
  keysLimit: (max) => `Tiene tantas claves como se permiten (${max}).`,
  keysLimitRevoke: 'Revoque una para crear otra.',
  newKeysLimit: (max) =>
    `Ha creado en 24 horas tantas claves como se permiten (${max}). Inténtelo de nuevo mañana.`,

  gone: {
    title: 'Esta dirección ya no funciona',
    text: 'Ya se abrió, ha caducado o se retiró. Vuelva a la aplicación para obtener otra.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'Compruebe la dirección o vuelva a la aplicación.',
  },
  forbidden: {
    title: 'Esto no está permitido aquí',
    text: 'No se ha cambiado nada. Si viene de nuestras páginas, permita las cookies de este sitio, vuelva atrás e inténtelo de nuevo.',
  },
  conflict: {
    title: 'Esto no es posible ahora',
    text: 'No se ha cambiado nada. La clave ha cambiado entretanto: vuelva a las claves para ver su estado.',
  },
  tooMany: {
    title: 'Demasiadas solicitudes',
    text: 'No se ha cambiado nada. Espere un minuto y vuelva a cargar la página.',
  },
  unreadable: {
    title: 'No hemos podido leerlo',
    text: 'No se ha cambiado nada. Vuelva atrás e inténtelo de nuevo.',
  },
  failed: { title: 'Algo ha ido mal', text: 'Inténtelo de nuevo dentro de unos minutos.' },
};
