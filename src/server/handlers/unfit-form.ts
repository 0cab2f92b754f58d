import { otherFailure, type StatusError } from '../../machinery/errors/index.ts';
import type { ServedKind } from '../../registry/index.ts';

/** 406 for a list whose client wants the metadata of one object. */
export const notOneObject = ({ kind, listKind }: ServedKind): StatusError =>
  unfit('PartialObjectMetadata', `is a list (*${packageOf(kind.group)}.${listKind})`);

/** 406 for an object whose client wants the metadata of a list. */
export const notAList = ({ kind }: ServedKind): StatusError =>
  unfit('PartialObjectMetadataList', `is not a list (*${packageOf(kind.group)}.${kind.kind})`);

/** The package in which release 1.20 has the types of a group. */
const packageOf = (group: string): string => (group === '' ? 'core' : (group.split('.')[0] ?? group));

const unfit = (form: string, what: string): StatusError =>
  otherFailure(406, 'NotAcceptable', `you requested ${form}, but the requested object ${what}`);
