import { dryRunOption, fieldManagerOption, fileOptions, printOptions, selectorOption } from './shared.ts';

/** `--validate`: unlike the server, which drops unknown fields, the client can refuse them. */
export const validateOption = {
  name: 'validate',
  type: 'bool',
  default: true,
  section: 'Changes',
  help: 'Check files against what the server says of its kinds before they are sent.',
} as const;

/** `--save-config`. */
export const saveConfigOption = {
  name: 'save-config',
  type: 'bool',
  section: 'Changes',
  help: 'Keep a copy of the configuration in an annotation, so that apply can go on from it.',
} as const;

/** `--record`. */
export const recordOption = {
  name: 'record',
  type: 'bool',
  section: 'Changes',
  help: 'Keep this command line in an annotation of the object, which rollout history shows; secrets are left out.',
} as const;

/** Options of commands that send the objects of files. */
export const fileChangeOptions = [
  ...fileOptions,
  selectorOption,
  validateOption,
  dryRunOption,
  fieldManagerOption,
  recordOption,
  ...printOptions,
] as const;
