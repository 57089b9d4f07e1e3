import { type GuideTexts } from './guide-texts.js';

export const SPANISH: GuideTexts = {
  steps: {
    app: 'Crear la aplicación',
    connect: 'Introducir la dirección y el token',
    attributes: 'Comprobar lo que se envía',
    people: 'Elegir personas y grupos',
    start: 'Iniciar la sincronización',
    account: 'Qué se lee, y con qué cuenta',
    consent: 'Dar el consentimiento',
  },
  open: (path) => `Vaya a ${path}.`,
  press: (button) => `Seleccione ${button}.`,
  find: (name) => `Busque ${name} y selecciónelo.`,
  enter: (field) => `En ${field}, introduzca:`,
  choose: (field, option) => `Ponga ${field} en ${option}.`,
  turnOn: (names) => `Active ${names}.`,
  review: 'Revise lo que pide la aplicación:',
  address: 'la dirección del directorio',
  token: 'el token',
  advice: {
    token: ({ token }) =>
      `El token es incorrecto. Cree uno nuevo en el paso «Introducir la dirección y el token» e introdúzcalo en **${token}**, sin la palabra Bearer y sin espacios.`,
    forbidden: () =>
      'El directorio no acepta esto por ahora. Pregunte a quienes le enviaron el enlace.',
    duplicate: ({ mapping }) =>
      `Ya existe un usuario o grupo con este nombre. Dos cuentas no pueden tener el mismo nombre de usuario: compruebe el atributo asignado a \`userName\` en **${mapping}**.`,
    filter: ({ mapping }) =>
      `No se pudo leer la búsqueda. Los usuarios se buscan por \`userName\`: compruebe el atributo de coincidencia en **${mapping}**.`,
    value: ({ mapping, retry }) =>
      `Falta un valor o tiene una forma incorrecta. Corrija el atributo que nombra el mensaje, en la persona o en **${mapping}**. Después envíelo de nuevo: **${retry}**.`,
    syntax: ({ mapping }) =>
      `No se pudo leer la solicitud. Deshaga los cambios de plantillas y expresiones en **${mapping}**.`,
    readOnly: ({ mapping }) =>
      `Se envió un atributo que no se puede cambiar. Quítelo en **${mapping}**.`,
    address: ({ address }) =>
      `La dirección no está completa. Cópiela de nuevo en **${address}**, sin añadir nada.`,
    tooLarge: () => 'La solicitud es demasiado grande. Envíe menos miembros o atributos a la vez.',
    tooMany: () =>
      'Llegaron demasiadas solicitudes a la vez. El proveedor las repite; no hay que hacer nada.',
    server: () => 'Es un fallo nuestro. El proveedor repite la solicitud.',
    other: ({ retry }) =>
      `Compruebe lo que dice el mensaje y envíe el cambio de nuevo: **${retry}**.`,
  },
};
