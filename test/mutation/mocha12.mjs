// Stryker's runner of 10.0.0 asks for modules of mocha without the ending that they have since mocha 12
// (https://github.com/stryker-mutator/stryker-js/pull/6205).
import { registerHooks } from 'node:module';

const renamed = /\/mocha\/lib\/cli\/(run-helpers|options|collect-files)$/;
registerHooks({
  resolve: (specifier, context, next) => next(renamed.test(specifier) ? `${specifier}.cjs` : specifier, context),
});
