/** Places that one fix changes together. Our choice: nobody reads a longer diff in one go, and a generated file has thousands. */
export const MOST_TOGETHER = 20;
