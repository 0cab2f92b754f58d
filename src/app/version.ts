import project from '../../package.json' with { type: 'json' };

/** The version of orch itself, not of the API that it serves. */
export const orchVersion: string = project.version;
