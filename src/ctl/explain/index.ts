/** `ctl explain`: what the server's OpenAPI document says of a kind or a field. It shows no objects. */
import { CtlError, ExitError, UsageError } from '../errors.ts';
import { apiVersionOf } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { findField } from './find-field.ts';
import { formatModel } from './format-model.ts';

export const explainVerb = defineVerb({
  program: {
    name: 'ctl explain',
    summary: 'Show what the fields of a resource mean',
    usage: '(TYPE[.FIELD...] | [TYPE] --search=WORD) [flags]',
    options: [
      {
        name: 'recursive',
        type: 'bool',
        section: 'Output',
        help: 'Show the fields of fields too, without what they mean.',
      },
      {
        name: 'api-version',
        type: 'string',
        valueName: 'VERSION',
        section: 'Selection',
        help: 'Version to show, such as apps/v1; the preferred one when it is left out.',
      },
      {
        name: 'search',
        type: 'string',
        valueName: 'WORD',
        section: 'Selection',
        help: 'Find fields by a word in their names or descriptions, of a type or of all.',
      },
    ],
    examples: [
      { command: 'ctl explain pods', does: 'show the fields of pods' },
      { command: 'ctl explain pods.spec.containers', does: 'show the fields of a field' },
      { command: 'ctl explain --search=toleration', does: 'find fields of any type' },
    ],
  },
  async run(ctl, { options, args }) {
    const [path, ...others] = args;
    if (options.search) {
      if (others.length > 0) throw new CtlError('--search takes one type at most');
      if (options.recursive || options.apiVersion)
        throw new UsageError('--search excludes --recursive and --api-version');
      return (await import('./print-search.ts')).printSearch(ctl, options.search, path);
    }
    if (path === undefined) {
      throw new CtlError(
        `You must specify the type of resource to explain. Use "${ctl.dialect.spell('ctl')} api-resources" for a complete list of supported resources.`,
      );
    }
    if (others.length > 0) throw new CtlError('We accept only this format: explain RESOURCE');
    const [type = '', ...fields] = path.replace(/\.$/, '').split('.');
    const resource = await ctl.findResource(type).catch((error: unknown) => {
      // The client of release 1.20 does not put `error: ` before this one.
      throw error instanceof CtlError ? new ExitError(1, error.message) : error;
    });
    const apiVersion = options.apiVersion || apiVersionOf(resource);
    const { kind } = resource;
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const cache = await ctl.openApi();
    const versions = [{ group, version }];
    let schemas = await cache.get(versions);
    if (schemas.nameOf({ group, version, kind }) === undefined) schemas = await cache.refresh(versions);
    const root = schemas.nameOf({ group, version, kind });
    const schema = root === undefined ? undefined : schemas.definition(root);
    if (schema === undefined) {
      throw new CtlError(`couldn't find resource for ${JSON.stringify(`${group}/${version}, Kind=${kind}`)}`);
    }
    const lines = formatModel(schemas, {
      schema: findField(schemas, schema, fields),
      name: fields.at(-1) ?? '',
      kind,
      apiVersion,
      isRecursive: options.recursive,
    });
    ctl.io.stdout.write(`${lines.join('\n')}\n`);
  },
});
