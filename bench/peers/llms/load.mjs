/** Loads a package that is installed in this folder. @param {string} specifier @returns {Promise<any>} */
export const load = (specifier) => import(specifier);
