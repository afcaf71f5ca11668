/** What the built-in reviewer is measured on: public repositories at pinned commits, fetched and never committed. */

export interface SourceRepository {
  /** `owner/name` on github.com */
  name: string;
  commit: string;
}

/** Ordinary pull requests are cut from the histories of these (see pull-requests.ts). */
export const ordinaryRepositories: readonly SourceRepository[] = [
  { name: "expressjs/express", commit: "a3714473feb3d2908add734d340e7755fd85e0a3" },
  { name: "honojs/hono", commit: "28a9c128912de19f3fb28b00ae289c9b93f6f392" },
  { name: "papra-hq/papra", commit: "2b110a4ce175cddfd18f3f4c44c16068037542c8" },
  { name: "vuejs/core", commit: "e2bede96134f757aad5c5b33ac9be055022dbfc8" },
  { name: "pallets/flask", commit: "2ac89889f4cc330eabd50f295dcef02828522c69" },
  { name: "psf/requests", commit: "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e" },
  { name: "celery/celery", commit: "5dc781f0bd5f36186bfcc74e0a4f9f654452c69b" },
  { name: "encode/httpx", commit: "ae1b9f66238f75ced3ced5e4485408435de10768" },
  { name: "healthchecks/healthchecks", commit: "29b5ec251059034b79e0120e2ff0c3e35d7bd9f8" },
  { name: "gin-gonic/gin", commit: "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9" },
  { name: "gotify/server", commit: "d543a8aad22fcbebf25e76d201b4317882b5e148" },
  { name: "prometheus/client_golang", commit: "89c60c0554699c74fa3d4eec472b98a3108905e3" },
  { name: "redis/jedis", commit: "9bcb5c602b0a21b9106501d8b6c0b148c27d73dc" },
  { name: "square/okhttp", commit: "1682d9bac8c03dffde2969b0b74d47649d0dbb52" },
  { name: "spring-projects/spring-petclinic", commit: "edf4db28affcc4741c79850a3d95bc3f177b5ff9" },
  { name: "ardalis/CleanArchitecture", commit: "4f80d58ddb3eb74c6ec8fcad0394e811d01106f5" },
  { name: "sinatra/sinatra", commit: "cb22afd7902b566b6eaba6c4ea89739494a65d12" },
  { name: "guzzle/guzzle", commit: "2779e868a00289e1b1fd854af030c43a06f4bcb4" },
  { name: "tokio-rs/axum", commit: "3d78036dcac289d6c1d54934708acb6a5bd73686" },
  { name: "DaveGamble/cJSON", commit: "a29814f285cc531c00223743ad3c55cd38c0dc56" },
  { name: "terraform-aws-modules/terraform-aws-eks", commit: "bef29c4d9523523e57fe898643fde2895106b339" },
];

/** Pull requests of these were first reviewed when the rules were written: what was said there was mended after it was counted. */
export const unseenRepositories: readonly SourceRepository[] = [
  { name: "AutoMapper/AutoMapper", commit: "4b9633f60ee386cf0efc69b967e04fa28405cf3e" },
  { name: "jellyfin/jellyfin", commit: "c3ed1407ca698b0905de99da87b67415e6a62dbd" },
  { name: "FreshRSS/FreshRSS", commit: "6c58b90518c30a165db1ee8ea34e0f3d12c6c898" },
  { name: "monicahq/monica", commit: "e08e91734170b6bbd582cb578532c3948196124e" },
  { name: "lobsters/lobsters", commit: "57268d762e1c2c95b7a8e64ee8deb259cddd8cc0" },
  { name: "huginn/huginn", commit: "9faad4aeee0d97570693377e0a281567e775abb4" },
  { name: "dokku/dokku", commit: "33896f5d7efc3b03d0ea94934d8413cddbce07fd" },
  { name: "nvm-sh/nvm", commit: "b17550a0b9ab691439815dfccc8b73e3a59fa103" },
  { name: "jqlang/jq", commit: "579e6f76cffd7643ba4002a2c3618a5ea710589a" },
  { name: "redis/redis", commit: "4f8cdc2a1ea53e42955af758aabffee67cb455dd" },
  { name: "launchbadge/sqlx", commit: "9d6bf6629f172d32fe1e6cafe8071439d213fc75" },
  { name: "BurntSushi/ripgrep", commit: "3fce3b5bb0236da2df6d99672afb8a719642eca7" },
  { name: "LemmyNet/lemmy", commit: "439734dd638a2c06a2f907beab7dcf4646e88f86" },
  { name: "miniflux/v2", commit: "106cdd09e1557222303f3ed1376e1dadf0638621" },
  { name: "woodpecker-ci/woodpecker", commit: "a4cb541b82dea1967d5b5577ff80a472b349afb2" },
  { name: "prometheus/alertmanager", commit: "68fb2d5759b3a92c0bb2a1a13d4ef7ff5b06256d" },
  { name: "InsertKoinIO/koin", commit: "fff5291f333c04fe5d6d9447f72740647d40d186" },
  { name: "apache/commons-lang", commit: "d15939ef46f0bd4144994df8be95cf5a7f91eb52" },
  { name: "google/leveldb", commit: "78a352f47ed6c1e9d750545e9b242289185b87e1" },
  { name: "pi-hole/pi-hole", commit: "1837b754b945eeab6ad5976443b38b983eb96e6e" },
  {
    name: "github-aws-runners/terraform-aws-github-runner",
    commit: "4475534a95e47b6152729950e11131c6ae6a044f",
  },
];

/** Read for the first time on 2026-11-21, before the rules were mended after them; each round met the rules of its hour. */
export const firstRoundRepositories: readonly SourceRepository[] = [
  { name: "BookStackApp/BookStack", commit: "6f1c54d018f7d55301eb4c31055b04769f5924d7" },
  { name: "Automattic/wp-super-cache", commit: "0c4a77954b2cf70ea30bc5eaa124618378bf9c87" },
  { name: "thoughtbot/administrate", commit: "1c7bf7106b629edfbd9747c498d854d9c2256674" },
  { name: "sharkdp/bat", commit: "2ba8db9c14e5794572f5ea338c2b90404c9769cb" },
  { name: "jesseduffield/lazygit", commit: "ea916395469808d37d726ae183fa40fd575a9d8a" },
  { name: "louislam/uptime-kuma", commit: "6398a9581d1c3c427a7536559f47ccf45dac08b4" },
  { name: "steven-tey/dub", commit: "1b17a2e3fd7555ad607e154f2c63657a7f659993" },
  { name: "netty/netty", commit: "0bb88a3e061f77355627e7fd7fc170ffdada7578" },
  { name: "dotnet/eShop", commit: "5624ad564d1602a927879df32a79b94522eb6101" },
  { name: "android/nowinandroid", commit: "d6abd6d3e562ae0f017888f5d62042316a49a2d6" },
  { name: "prometheus-community/helm-charts", commit: "cf408a290aec489277a94450bb3511432477a53a" },
  { name: "terraform-aws-modules/terraform-aws-vpc", commit: "82d1929e669efef4e2ad00611b8a68e7a56e049c" },
  { name: "docker/build-push-action", commit: "cb941d0b895b09c17fa011d41c411b33c752cf28" },
  { name: "scikit-learn-contrib/imbalanced-learn", commit: "8504e95f0160f61d1b617ca66f779646d2ee609e" },
  { name: "redis/hiredis", commit: "29ea2791c102fdffff350f1ea6e04d1f71903d0d" },
  { name: "nlohmann/json", commit: "199dea11b17c533721b26249e2dcaee6ca1d51d3" },
  { name: "fluxcd/flux2", commit: "da2d22d3690191a315822612085f424e4133b06a" },
  { name: "woocommerce/action-scheduler", commit: "9c12a73051521798e6af61f2442db3cd9f20b6e1" },
  { name: "koel/koel", commit: "41cab99feeaf59b139699403fdfd41f0a280fb39" },
  { name: "umami-software/umami", commit: "c0ea3aefbee7a3429ee2f824b06dc4a9dbe0b7e1" },
];

export const secondRoundRepositories: readonly SourceRepository[] = [
  { name: "argoproj/argo-rollouts", commit: "9f8d111d8f8e3e88b6d7f8bbdf62fd3cd863ef9d" },
  { name: "Tautulli/Tautulli", commit: "c7153deb6e3017b8dda46c8448fe548a61c5a47a" },
  { name: "apache/shiro", commit: "b8b883cc27af4a71945db7ba5951230e52fe8dc6" },
  { name: "solidusio/solidus", commit: "1f5bf5c638f5fe9fbda4d480bdb7ebcfa39a9a5e" },
  { name: "AntennaPod/AntennaPod", commit: "b7ee12ccfc026b7fe6ca7206a925a05a23e15cca" },
  { name: "helix-editor/helix", commit: "079a789e8cb08ead67f19e1971a1b7438b37354b" },
  { name: "mealie-recipes/mealie", commit: "b5643a9399465d8b4ea339e7a6639df2d697741b" },
  { name: "trpc/trpc", commit: "340811ba5320637fbaf48fccf3dbfdd258bd34db" },
  { name: "wallabag/wallabag", commit: "5afc37df9303cf983864c288d46bb23f12221695" },
  { name: "cloudposse/terraform-aws-eks-cluster", commit: "1def0d9ac2ab798c127961142eb756c3408af49a" },
  { name: "actions/runner", commit: "258d6c857db3519913f7deb6004b60172f8043ae" },
  { name: "jenkinsci/git-plugin", commit: "add6e4dc74e64874e32f53fc90e8b8da3590afe5" },
  { name: "openai/openai-python", commit: "e43b422412a9e96c9cc5192c61fffbe2d7e04836" },
];

export const thirdRoundRepositories: readonly SourceRepository[] = [
  { name: "hashicorp/vault-action", commit: "4c06c5ccf5c0761b6029f56cfb1dcf5565918a3b" },
  { name: "onedr0p/home-ops", commit: "d9078e4dd52174ad68a4408ca3398f731b2f889e" },
  { name: "Codeinwp/visualizer", commit: "4c379dcd85aad19f0dd628ac47368c031c164d2d" },
  { name: "kubernetes-sigs/external-dns", commit: "2bf1bf8af2b70f23579f9147c1f7e9394f7f83d5" },
  { name: "refined-github/refined-github", commit: "cc22fe3434b082a982da1efcfbd4f14b4518c747" },
  { name: "TeamNewPipe/NewPipe", commit: "79767f95f7611c79891828383d7adbf6d3a8ac0b" },
];

/** First reviewed last of all, with the rules of `2f3a903`. */
export const fourthRoundRepositories: readonly SourceRepository[] = [
  { name: "rubygems/rubygems.org", commit: "3c8ea0d4cbe85bd2a2bb5d22486247656a3dfb6c" },
  { name: "formbricks/formbricks", commit: "b66c1dd978af618a0e402bd3343b456bed68594c" },
  { name: "meilisearch/meilisearch", commit: "5cb2f2e94befc717bbea60fec4a31ee64d2f60fd" },
  { name: "eclipse-vertx/vert.x", commit: "d9e1080b4b8eeeb1d35522640e639055f0e4f645" },
  { name: "fmtlib/fmt", commit: "60ccad511fd680cb91d8b60a315759f71c67bef9" },
  { name: "avo-hq/avo", commit: "34d2916b90d024335142e798345a34813d68a0fc" },
  { name: "App-vNext/Polly", commit: "173d6d1d2e28a4697f1ac1d22da68f77ff19a0c9" },
  { name: "caddyserver/caddy", commit: "0cf03d32f7d99cf160d5375e8a40fbe3d910d515" },
  { name: "pallets/werkzeug", commit: "1b00618e787f40dfb21eba29caf8f8be7c8e1d93" },
  { name: "axios/axios", commit: "23a25af0688d1db2c396deb09229d2271cc24f6c" },
  { name: "square/retrofit", commit: "0b118105fe8436791436b8bc9c95b9aa2cfd3bdd" },
  { name: "stefanprodan/podinfo", commit: "eec06d1ea459af4cb4e10e806f8be7c7bd58b361" },
  { name: "prometheus/node_exporter", commit: "a7dcc3a01545180d4f2087db70994cbc3abfed13" },
  { name: "thoughtbot/factory_bot", commit: "967d128e3710b9918f97c75b47b11251e85c2377" },
  { name: "thephpleague/flysystem", commit: "072735c56cc0da00e10716dd90d5a7f7b40b36be" },
  { name: "louislam/dockge", commit: "f809ae192b571944ad773e9866d3e67064ae8043" },
  { name: "sissbruecker/linkding", commit: "65813a75404b1319aca8b09700fadc0b15adabaf" },
];

/** Every set of ordinary pull requests, by how its projects were met. */
export const ordinarySets: Readonly<Record<string, readonly SourceRepository[]>> = {
  "read while rules were written": ordinaryRepositories,
  "first read afterwards": unseenRepositories,
  "round 1": firstRoundRepositories,
  "round 2": secondRoundRepositories,
  "round 3": thirdRoundRepositories,
  "round 4": fourthRoundRepositories,
};

/** The OWASP Benchmark, where every case is labelled with one category and whether it is really vulnerable. */
export const owaspSets = {
  java: {
    repository: { name: "OWASP-Benchmark/BenchmarkJava", commit: "79b9bd6177e07991a9c11dc19e457c840e229931" },
    expected: "expectedresults-1.2.csv",
    sources: "src/main/java/org/owasp/benchmark/testcode",
    extension: ".java",
  },
  python: {
    repository: {
      name: "OWASP-Benchmark/BenchmarkPython",
      commit: "7cf0674b9a33788ac3105e4c4a75a7fdce4c44bd",
    },
    expected: "expectedresults-0.1.csv",
    sources: "testcode",
    extension: ".py",
  },
} as const;

/** Bug fixes, reviewed forwards and backwards. */
export const fixSets = {
  quixbugs: { name: "jkoppel/QuixBugs", commit: "4257f44b0ff1181dedaedee6a447e133219fcebf" },
  bugsinpy: { name: "soarsmu/BugsInPy", commit: "11c5f1eea954a42132cfd06bf257766a7963e0fd" },
  defects4j: { name: "rjust/defects4j", commit: "ca4a0ef98686bcd375336b1066acd6a54e875e34" },
  bugsjs: { name: "BugsJS/bug-dataset", commit: "7abbad3e4df12cd5294110bb5db11b7d5bc758a6" },
} as const satisfies Record<string, SourceRepository>;

/** The forks of BugsJS: tags `Bug-<n>` and `Bug-<n>-fix` hold the two sides of each of its bugs. */
export const bugsJsProjects = [
  "bower",
  "eslint",
  "express",
  "hessian.js",
  "hexo",
  "karma",
  "mongoose",
  "node_redis",
  "pencilblue",
  "shields",
] as const;

/** Projects of two of the sets, whose histories tell which commits brought their bugs in (see blamed.ts). */
export const blamedProjects = {
  bugsinpy: {
    black: { name: "psf/black", commit: "8947c48ef2077c3a301b03c1e814dc2e3f78436e" },
    cookiecutter: { name: "cookiecutter/cookiecutter", commit: "c88fbe921c97c58b65f1883ba90a0ab53cc91b34" },
    luigi: { name: "spotify/luigi", commit: "715f65c4a56a908ef0a1df4df6fc33b8420e2e6c" },
    sanic: { name: "sanic-org/sanic", commit: "785d77f8fe208576a48d339bd81d866021154092" },
    scrapy: { name: "scrapy/scrapy", commit: "11079cb1c85b9e75a39a7269943c69d1a975d485" },
    thefuck: { name: "nvbn/thefuck", commit: "c7e7e1d884d3bb241ea6448f72a989434c2a35ec" },
    tornado: { name: "tornadoweb/tornado", commit: "e530031405e2154654dedc4c84d5656b557ea310" },
    tqdm: { name: "tqdm/tqdm", commit: "f6a30fab726ab8e794a9db88b4392ce207760937" },
    "youtube-dl": { name: "ytdl-org/youtube-dl", commit: "956b8c585591b401a543e409accb163eeaaa1193" },
  },
  defects4j: {
    Cli: { name: "apache/commons-cli", commit: "0a68ae0e826bb08eb59bda9bae7ec5d84008b62a" },
    Codec: { name: "apache/commons-codec", commit: "8dcd16b7d13ef1a78e325d458830ead890fe82ac" },
    Compress: { name: "apache/commons-compress", commit: "6862beae76a90e09e182f975a538ea9b2723e2b9" },
    Csv: { name: "apache/commons-csv", commit: "d9b9f062b84ea02a30a7817789a2bb71a21c51a9" },
    Gson: { name: "google/gson", commit: "9835b6f90192f79cdf5300c528fc6212455fb6c1" },
    Jsoup: { name: "jhy/jsoup", commit: "46b620860af930eedc193a705eaf7cea5aec89a6" },
    Lang: { name: "apache/commons-lang", commit: "d15939ef46f0bd4144994df8be95cf5a7f91eb52" },
    Math: { name: "apache/commons-math", commit: "d9fd8324cb346f55d197f90442a6e1eedeff11a0" },
    Mockito: { name: "mockito/mockito", commit: "ee8a330da0218f32d5964acdeaa3ac39e2c6ce14" },
  },
} as const satisfies Record<string, Record<string, SourceRepository>>;
