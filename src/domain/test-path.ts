/** Which files are tests, by the habits of their languages. */

const testFolder =
  /(^|\/)(t|tests?|__tests__|__mocks__|specs?|e2e|fixtures?|testdata|testing|mocks?|stubs?|examples?|samples?|[\w.-]*\.tests?|(unit|integration|functional|acceptance|android|common|jvm)_?tests?)\//i;
const testFile =
  /(^|\/)(test_[^/]+|conftest)\.py$|[._-](test|spec|e2e|stories|fixture|mock)s?\.[^/]+$|(Tests?|Spec|IT)\.(java|kt|cs|php|scala|swift)$/;

export function isTestPath(path: string): boolean {
  return testFolder.test(path) || testFile.test(path);
}
