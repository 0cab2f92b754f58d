import type { YamlPath } from '../../machinery/codec/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { parseFieldPath } from '../validation/locate-causes.ts';
import {
  comparePlaces,
  type LocatedText,
  locateFields,
  makeFaultError,
} from '../validation/locate-faults.ts';
import { type FilePlace, formatPlace } from '../validation/manifest-error.ts';
import type { ObjectReport } from './convert-document.ts';
import type { Fault } from './find-faults.ts';
import { nameOf } from './manifest-object.ts';
import type { Notice } from './notice.ts';
import type { ConvertOptions } from './options.ts';

/** What there is to say about the objects of one document. */
export interface DocumentReport {
  readonly document: LocatedText;
  readonly reports: readonly ObjectReport[];
  readonly options: Pick<ConvertOptions, 'strict' | 'validate'>;
}

/** One thing to say, and the field that it is about. */
interface Remark {
  readonly path: YamlPath;
  /** Undefined for what is no error: then it is a line of text. */
  readonly isError: boolean;
  /** True for what does not fit the kind of its object. */
  readonly isFault: boolean;
  readonly say: (place: FilePlace | undefined) => CtlError;
  readonly lead: 'Note' | 'Warning';
}

/**
 * Prints what users should know, each with its place in the file, and returns what is wrong as errors. What does not fit comes
 * first, in the order of the file. All of a document is located at once, as it must be read for that.
 */
export function tellReports(ctl: Ctl, { document, reports, options }: DocumentReport): readonly CtlError[] {
  const remarks = reports.flatMap((report) => remarksOf(report, document, options));
  if (remarks.length === 0) return [];
  const paths = remarks.map(({ path }) => path);
  const located = locateFields(document, paths).map((place, index) => ({ place, remark: remarks[index] }));
  const [faults, others] = [located.filter(isFault), located.filter((each) => !isFault(each))];
  faults.sort((a, b) => comparePlaces(a.place, b.place));
  const errors: CtlError[] = [];
  for (const { place, remark } of [...faults, ...others]) {
    if (remark === undefined) continue;
    const error = remark.say(place);
    if (remark.isError) errors.push(error);
    else ctl.io.stderr.write(`${remark.lead}: ${error.message}\n`);
  }
  return errors;
}

const isFault = ({ remark }: { readonly remark: Remark | undefined }): boolean => remark?.isFault === true;

function remarksOf(
  { object, path, notices = [], unknown = [], faults, losesUnknown = false }: ObjectReport,
  document: LocatedText,
  options: DocumentReport['options'],
): readonly Remark[] {
  const ofFault = (fault: Fault, isError: boolean): Remark => ({
    path: [...path, ...fault.path],
    isError,
    isFault: true,
    lead: 'Warning',
    say: (place) => makeFaultError(document, { ...fault, path: [...path, ...fault.path] }, place),
  });
  const isUnknownError = options.strict || options.validate || faults.length > 0;
  const lost = unknown.map((fault) =>
    losesUnknown && !isUnknownError ? { ...fault, text: `lost: ${fault.text}` } : fault,
  );
  const ofNotice = (notice: Notice): Remark => ({
    path: [...path, ...parseFieldPath(notice.path)],
    isError: isError(notice, options),
    isFault: false,
    lead: notice.level === 'note' ? 'Note' : 'Warning',
    say(place) {
      const where = place === undefined ? document.source : formatPlace(place);
      const name = object === undefined ? '' : `${nameOf(object)}: `;
      return new CtlError(`${where} ${name}${notice.path === '' ? '' : `${notice.path}: `}${notice.text}`);
    },
  });
  return [
    ...lost.map((fault) => ofFault(fault, isUnknownError)),
    ...faults.map((fault) => ofFault(fault, true)),
    ...notices.map(ofNotice),
  ];
}

function isError({ level }: Notice, { strict, validate }: DocumentReport['options']): boolean {
  if (level === 'note') return false;
  return strict || (validate && level === 'refused');
}
