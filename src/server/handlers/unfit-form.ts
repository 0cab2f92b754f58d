import { internalPackage } from '../../machinery/codec/index.ts';
import { otherFailure, type StatusError } from '../../machinery/errors/index.ts';
import type { ServedKind } from '../../registry/index.ts';

/** 406 for a list whose client wants the metadata of one object. */
export const notOneObject = ({ kind, listKind }: ServedKind): StatusError =>
  unfit('PartialObjectMetadata', `is a list (*${internalPackage(kind)}.${listKind})`);

/** 406 for an object whose client wants the metadata of a list. */
export const notAList = ({ kind }: ServedKind): StatusError =>
  unfit('PartialObjectMetadataList', `is not a list (*${internalPackage(kind)}.${kind.kind})`);

const unfit = (form: string, what: string): StatusError =>
  otherFailure(406, 'NotAcceptable', `you requested ${form}, but the requested object ${what}`);
