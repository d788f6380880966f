/** The variable with the folder of the build that the test files of a run share. Without it, each builds for itself. */
export const BUILD_OF_RUN = 'NODOMETER_BUILD_OF_RUN';
