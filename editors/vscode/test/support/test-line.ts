/** What the lines of the tests begin with, among all that VS Code writes. */
export const TEST_LINE = "[test] ";
