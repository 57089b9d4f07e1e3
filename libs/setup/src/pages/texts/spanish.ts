import { type SetupTexts } from './setup-texts.js';

export const SPANISH: SetupTexts = {
  openTitle: 'Conectar su proveedor de identidad',
  openText: (application = 'esta aplicación') =>
    `Las páginas siguientes muestran cómo llegan los usuarios y grupos de su organización desde su proveedor de identidad a ${application}. Necesita acceso de administrador al proveedor.`,
  openTime: 'Calcule unos 15 minutos.',
  openOnce:
    'Este enlace se abre una sola vez. Continúe en el navegador en el que quiera terminar la configuración.',
  openButton: 'Continuar',

  stepsLabel: 'Pasos de la configuración',
  progress: (step, steps) => `Paso ${step} de ${steps}`,
  back: 'Atrás',
  next: 'Continuar',
  skip: 'Omitir este paso',
  toSetup: 'Volver a la configuración',

  providerTitle: 'Elegir su proveedor de identidad',
  providerText: (directory) => `Está conectando «${directory}».`,
  providerMissing: 'Elija un proveedor de identidad.',
  otherProvider: 'Otro compatible con SCIM 2.0',
  faultPrefix: 'Error:',

  inProvider: (provider) => `En ${provider}:`,
  yourProvider: 'su proveedor de identidad',
  createToken: 'Crear un token',
  replaceToken:
    'Un token nuevo sustituye al último. Si el directorio está en uso, el último funciona 24 horas más.',
  tokenBelow: (field) => `Cree un token y péguelo en ${field}.`,
  tokenElsewhere: (field) =>
    `En ${field}, introduzca el token que le dan quienes le enviaron el enlace.`,
  yourToken: 'Su token',
  tokenOnce:
    'Cópielo ahora: se muestra una sola vez. Un clic lo selecciona entero. Si lo pierde, cree uno nuevo.',
  notesTitle: 'Conviene saber',

  mappingTitle: 'Elegir los atributos',
  mappingText:
    'Además del nombre y la dirección de correo, la aplicación pide estos atributos. Indique el atributo SCIM en el que su proveedor de identidad envía cada uno; deje vacío lo que no envíe.',
  mappingSave: 'Guardar y continuar',
  mappingRefused: 'Indique el nombre de un atributo SCIM, por ejemplo title o name.givenName.',
  mappingChanged:
    'Alguien ha cambiado estos atributos mientras tanto. Sus datos no se han guardado; esto es lo que se aplica ahora.',

  groupsTitle: 'Elegir los grupos',
  groupsText: 'La aplicación lee los usuarios de su organización. Elija qué grupos lee además.',
  groupsQuestion: '¿Qué grupos?',
  groupsAll: 'Todos los grupos',
  groupsSome: 'Solo estos grupos:',
  groupsNames: 'Nombres, direcciones de correo o identificadores de grupos, uno por línea',
  groupsSave: 'Guardar y continuar',
  groupsRefused:
    'Introduzca al menos un grupo, uno por línea, con un máximo de 512 caracteres cada uno y 1000 grupos.',
  groupsBoth:
    'Eligió todos los grupos, pero nombró algunos. Elija «Solo estos grupos» o quite los nombres.',
  groupsChanged:
    'Alguien ha cambiado la selección mientras tanto. Sus datos no se guardaron; esto es lo que vale ahora.',
  groupsLater:
    'Los grupos que quite de la lista se eliminan en la aplicación. Si son muchos, las personas que le enviaron el enlace deben aprobarlo.',

  rolesTitle: 'Dar roles a los grupos',
  rolesText:
    'Elija qué rol reciben en la aplicación los miembros de cada grupo. También cuentan los grupos dentro de un grupo.',
  rolesNone: 'Ningún rol',
  rolesNoGroups:
    'Todavía no ha llegado ningún grupo. Vuelva cuando la comprobación muestre el primero.',
  rolesMore: (shown) =>
    `Estos son los primeros ${shown} grupos por nombre. Quienes le enviaron el enlace pueden dar roles a otros.`,
  rolesPreview: 'Mostrar qué cambia',
  rolesSave: 'Guardar',
  rolesSaveAndFinish: 'Guardar y terminar',
  rolesFinishOnly: 'Terminar sin guardar',
  rolesSaved: 'Guardado. En un directorio grande, los usuarios reciben sus roles en unos minutos.',
  rolesEffectTitle: 'Esto cambiaría',
  rolesGained: (users) => (users === 1 ? '1 usuario recibe' : `${users} usuarios reciben`),
  rolesLost: (users) => (users === 1 ? '1 usuario pierde' : `${users} usuarios pierden`),
  rolesNoEffect: 'Ningún usuario recibe otro rol.',
  rolesPartial: (users) => `Solo se compararon los primeros ${users} usuarios.`,
  rolesChanged:
    'Alguien ha cambiado los roles mientras tanto. Su elección no se guardó; esto es lo que vale ahora.',
  rolesTooMany: 'Son más grupos con rol de los posibles. No se guardó nada.',

  checkTitle: 'Comprobar la conexión',
  checkText: 'Esta página muestra lo que llega de su proveedor de identidad.',
  checks: { request: 'Primera solicitud', user: 'Primer usuario', group: 'Primer grupo' },
  seen: 'recibido',
  seenRefused: 'recibida, pero rechazada',
  notSeen: 'todavía no',
  groupOptional: 'Solo si envía grupos',
  otherRecognized: (recognized, chosen) =>
    `Las solicitudes parecen de ${recognized}, pero eligió ${chosen}. Compruebe el proveedor en el primer paso.`,
  refusedTitle: 'Solicitudes rechazadas',
  refusedText: 'Estas solicitudes se rechazaron. Esto es lo que hay que cambiar:',
  times: (count) => `${count} veces`,
  refreshing: (seconds) => `Esta página se actualiza cada ${seconds} segundos.`,
  stopRefreshing: 'No actualizar más',
  startRefreshing: 'Actualizar automáticamente',
  checkAgain: 'Comprobar de nuevo',
  finish: 'Terminar',
  finishLater: (until) =>
    `Puede cerrar esta página y volver en este navegador hasta el ${until}. En cuanto se acepte una solicitud, puede terminar aquí.`,

  workspace: {
    accountOf: (domain) => `Use una cuenta de la organización «${domain}».`,
    continueTo: (company) => `Continuar a ${company}`,
    consentAgain: 'Se dio el consentimiento. Délo de nuevo para usar otra cuenta.',
    problems: {
      refused:
        'El consentimiento se rechazó, así que no se conectó nada. Si su cuenta no puede darlo, pida a un administrador que lo haga en este navegador.',
      expired:
        'Esto tardó más de diez minutos o ya había terminado. No se conectó nada. Empiece de nuevo con el botón.',
      unanswered:
        'El proveedor no dio el consentimiento, así que no se conectó nada. Empiece de nuevo con el botón.',
      incomplete:
        'No se permitieron todos los permisos, así que no se conectó nada. Empiece de nuevo y permítalos todos.',
      wrong_account:
        'El consentimiento se dio para otra organización, así que no se conectó nada. Inicie sesión con una cuenta de la correcta.',
      failed:
        'El proveedor no dio acceso, así que no se conectó nada. Inténtelo de nuevo dentro de unos minutos. Si no sirve, pregunte a quienes le enviaron el enlace.',
    },
    checkText: (provider) => `Esta página muestra lo que se lee de ${provider}.`,
    checks: { consent: 'Consentimiento', users: 'Usuarios', groups: 'Grupos' },
    given: 'dado',
    read: (number) => `leídos: ${number}`,
    same: 'sin cambios',
    noneFound: 'No se encontró ninguno de los grupos elegidos. Compruebe los nombres.',
    run: {
      queued: 'La primera lectura empieza en breve.',
      listing: 'Se están leyendo usuarios y grupos.',
      applying: 'Se está guardando lo que se leyó.',
      held: 'Lo que se leyó cambiaría mucho, así que quienes le enviaron el enlace deben aprobarlo.',
      failed: 'La lectura ha fallado. El motivo:',
      discarded: 'Quienes le enviaron el enlace descartaron lo que se leyó.',
      paused: 'La lectura continúa más tarde por sí sola. El motivo:',
      unchanged: 'Se ha leído todo; nada ha cambiado desde la última vez.',
      succeeded: 'Se ha leído y guardado todo.',
    },
    whatToDo: {
      consent: 'El acceso no se dio o ha terminado. Dé el consentimiento de nuevo.',
      account:
        'Compruebe que la cuenta es de la organización correcta y tiene el rol del primer paso; después dé el consentimiento de nuevo. Si el motivo es un ajuste de la aplicación, pregunte a quienes le enviaron el enlace.',
    },
    toConsent: 'Dar el consentimiento de nuevo',
    finishLater: (until) =>
      `Puede cerrar esta página y volver en este navegador hasta el ${until}. En cuanto se hayan leído usuarios, puede terminar aquí.`,
  },

  doneTitle: 'La configuración ha terminado',
  connected: (directory, provider = 'su proveedor de identidad') =>
    `«${directory}» está conectado a ${provider}.`,
  doneText: 'Los cambios llegan a partir de ahora. Puede cerrar esta página.',

  gone: {
    title: 'Este enlace ya no funciona',
    text: 'Ya se abrió, ha caducado o se retiró. Si lo abrió usted, continúe en aquel navegador. Si no, pida un enlace nuevo.',
  },
  foreign: {
    title: 'Este consentimiento no empezó aquí',
    text: 'No se conectó nada. Continúe en el navegador en el que abrió el enlace y use allí el botón de nuevo. Si el enlace ha caducado o se retiró, pida uno nuevo.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'Compruebe la dirección o pida un enlace nuevo.',
  },
  forbidden: {
    title: 'No pudimos comprobar que esto viene de usted',
    text: 'No se cambió nada. Permita las cookies de este sitio, vuelva atrás e inténtelo de nuevo.',
  },
  tooMany: {
    title: 'Demasiadas solicitudes',
    text: 'No se cambió nada. Espere un minuto y cargue la página de nuevo.',
  },
  unreadable: {
    title: 'No pudimos leer eso',
    text: 'No se cambió nada. Vuelva atrás e inténtelo de nuevo.',
  },
  failed: { title: 'Algo ha fallado', text: 'Inténtelo de nuevo dentro de unos minutos.' },
};
