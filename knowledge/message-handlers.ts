// Functions that run for each message, job or use of a model: of a broker, a mail, a queue, a bot, an object mapper; and those that a
// request runs by way of a package's options. A message is to its server what a request is to a web server.
import { SERVED_FILES } from './packages/served-files.ts';

export interface MessageModel {
  framework: string;
  source: string;
  packages: readonly string[];
  /** `hook`: runs when data is saved or read through a model. */
  kind: 'route' | 'invocation' | 'message' | 'ipc' | 'job' | 'hook';
  /** Whether a project that depends on the package has such calls in files that do not import it: `module.exports = (app) => …`. */
  byDependency?: boolean;
  /** `x.on(event, fn)` in a file that imports the package. */
  events?: readonly string[];
  /** `x.method(…, fn)` in a file that imports the package. */
  methods?: readonly string[];
  /** The first argument of the method is what the package exports: `app.register(mercurius, options)`. */
  isPlugin?: boolean;
  /**
   * Whether `x.on(event, fn)` counts, too, where the event is no text: `client.on(event.name, …)`, for files of events that are loaded by
   * name.
   */
  anyEvent?: boolean;
  /** What the object that has these methods is called. */
  receiver?: RegExp;
  /** What that object is a property of: `webContents.ipc`. */
  holder?: RegExp;
  /** What the methods must be called on the result of: `schema.virtual('name').set(fn)`. */
  after?: string;
  /** What the first argument of these methods, or the first of its list, must be. */
  first?: RegExp;
  /** `new Export(…, fn)` or `Export(…, fn)`. */
  makers?: readonly string[];
  /** Properties of an options object that hold functions; all of them where the list is empty. */
  options?: readonly string[];
  /** Whether these hold tables of tables of functions. */
  isDeep?: boolean;
  /** What these hold in GraphQL, so that fields can be named: the fields of one type, or resolvers by type and field. */
  graphql?: 'fields' | 'resolvers';
  /** Whether the functions are in the table that the function argument returns. */
  isReturned?: boolean;
}

const words = (text: string): readonly string[] => text.split(' ');

export const MESSAGE_MODELS: readonly MessageModel[] = [
  {
    framework: 'graphql',
    source: 'https://www.apollographql.com/docs/apollo-server/data/resolvers',
    packages: words(
      'apollo-server @apollo/server apollo-server-express apollo-server-koa apollo-server-fastify apollo-server-lambda graphql-yoga ' +
        '@graphql-tools/schema graphql-tools @graphql-yoga/node @apollo/subgraph',
    ),
    kind: 'route',
    makers: [
      'ApolloServer',
      'makeExecutableSchema',
      'createSchema',
      'createYoga',
      'GraphQLServer',
      'buildSubgraphSchema',
      'addResolversToSchema',
    ],
    options: ['resolvers'],
    isDeep: true,
    graphql: 'resolvers',
  },
  {
    framework: 'graphql',
    source: 'https://graphql.org/graphql-js/running-an-express-graphql-server/',
    packages: ['express-graphql', 'graphql-http', 'graphql-http/lib/use/express', 'koa-graphql', 'mercurius'],
    kind: 'route',
    makers: ['graphqlHTTP', 'createHandler', ''],
    methods: ['register'],
    isPlugin: true,
    options: ['rootValue', 'resolvers'],
    isDeep: true,
    graphql: 'resolvers',
  },
  {
    framework: 'graphql',
    source: 'https://www.apollographql.com/docs/apollo-server/data/context',
    kind: 'route',
    makers: ['ApolloServer', 'startStandaloneServer', 'expressMiddleware', 'startServerAndCreateNextHandler', 'createYoga'],
    options: ['context'],
    packages: [
      '@apollo/server/standalone',
      '@apollo/server/express4',
      '@as-integrations/express4',
      '@as-integrations/express5',
      '@as-integrations/next',
      'apollo-server',
      'apollo-server-express',
      'apollo-server-koa',
      'apollo-server-fastify',
      'apollo-server-lambda',
      'graphql-yoga',
    ],
  },
  {
    framework: 'graphql',
    source: 'https://graphql.org/graphql-js/type/#graphqlobjecttype',
    packages: ['graphql'],
    kind: 'route',
    makers: ['GraphQLObjectType'],
    options: ['fields'],
    graphql: 'fields',
  },
  {
    framework: 'graphql',
    source: 'https://github.com/graphql/graphql-relay-js#mutations',
    packages: ['graphql-relay'],
    kind: 'route',
    makers: ['mutationWithClientMutationId'],
    options: ['mutateAndGetPayload'],
  },
  {
    framework: 'pothos',
    source: 'https://pothos-graphql.dev/docs/guide/fields',
    packages: ['@pothos/core'],
    byDependency: true,
    kind: 'route',
    methods: words(
      'field string int float boolean id stringList intList floatList booleanList idList prismaField prismaConnection prismaFieldWithInput fieldWithInput connection relatedConnection loadable',
    ),
    options: ['resolve'],
  },
  {
    framework: 'nexus',
    source: 'https://nexusjs.org/docs/api/object-type',
    packages: ['nexus', '@nexus/schema'],
    byDependency: true,
    kind: 'route',
    methods: words('field string int float boolean id connectionField'),
    makers: words('queryField mutationField subscriptionField'),
    options: ['resolve'],
  },
  {
    framework: 'meteor',
    source: 'https://docs.meteor.com/api/methods',
    packages: ['meteor/meteor'],
    kind: 'route',
    methods: ['methods', 'publish'],
    options: [],
    isDeep: true,
  },
  {
    framework: 'meteor',
    source: 'https://github.com/meteor/validated-method',
    packages: ['meteor/mdg:validated-method'],
    kind: 'route',
    makers: ['ValidatedMethod'],
    options: ['run'],
  },
  {
    framework: 'mqtt',
    source: 'https://github.com/mqttjs/MQTT.js#event-message',
    packages: ['mqtt', 'async-mqtt'],
    kind: 'message',
    events: ['message'],
  },
  {
    framework: 'aedes',
    source: 'https://github.com/moscajs/aedes/blob/main/docs/Aedes.md',
    packages: ['aedes', 'mosca'],
    kind: 'message',
    events: ['publish', 'published', 'client', 'subscribe'],
    options: ['authenticate', 'authorizePublish', 'authorizeSubscribe', 'preConnect', 'published'],
    makers: ['', 'Server', 'Aedes', 'createBroker'],
  },
  {
    framework: 'smtp-server',
    source: 'https://nodemailer.com/extras/smtp-server/',
    packages: ['smtp-server'],
    kind: 'message',
    makers: ['SMTPServer'],
    options: ['onData', 'onAuth', 'onConnect', 'onMailFrom', 'onRcptTo', 'onSecure'],
  },
  {
    framework: 'amqplib',
    source: 'https://amqp-node.github.io/amqplib/channel_api.html#channel_consume',
    packages: ['amqplib', 'amqplib/callback_api', 'amqp-connection-manager'],
    kind: 'message',
    methods: ['consume'],
  },
  {
    framework: 'rabbitmq-client',
    source: 'https://github.com/cody-greene/node-rabbitmq-client#usage',
    packages: ['rabbitmq-client'],
    kind: 'message',
    methods: ['createConsumer'],
  },
  {
    framework: 'kafkajs',
    source: 'https://kafka.js.org/docs/consuming',
    packages: ['kafkajs'],
    kind: 'message',
    methods: ['run'],
    options: ['eachMessage', 'eachBatch'],
  },
  {
    framework: 'sqs-consumer',
    source: 'https://github.com/bbc/sqs-consumer#usage',
    packages: ['sqs-consumer'],
    kind: 'message',
    methods: ['create'],
    options: ['handleMessage', 'handleMessageBatch'],
  },
  {
    framework: 'bull',
    source: 'https://github.com/OptimalBits/bull/blob/develop/REFERENCE.md#queueprocess',
    packages: ['bull', 'bee-queue', 'kue', 'bull-board'],
    kind: 'job',
    methods: ['process'],
  },
  { framework: 'bullmq', source: 'https://docs.bullmq.io/guide/workers', packages: ['bullmq'], kind: 'job', makers: ['Worker'] },
  {
    framework: 'agenda',
    source: 'https://github.com/agenda/agenda#defining-job-processors',
    packages: ['agenda', '@hokify/agenda'],
    kind: 'job',
    methods: ['define'],
  },
  {
    framework: 'cron',
    source: 'https://github.com/node-cron/node-cron#quick-start',
    packages: ['node-cron'],
    kind: 'job',
    methods: ['schedule'],
  },
  {
    framework: 'cron',
    source: 'https://github.com/kelektiv/node-cron#basic-usage',
    packages: ['cron', 'croner'],
    kind: 'job',
    makers: ['CronJob', 'Cron', 'job'],
    methods: ['from'],
    options: ['onTick'],
  },
  {
    framework: 'cron',
    source: 'https://github.com/node-schedule/node-schedule#cron-style-scheduling',
    packages: ['node-schedule'],
    kind: 'job',
    methods: ['scheduleJob'],
  },
  {
    framework: 'trpc',
    source: 'https://trpc.io/docs/server/middlewares',
    packages: ['@trpc/server'],
    kind: 'route',
    methods: ['middleware'],
  },
  {
    framework: 'tanstack-start',
    source: 'https://tanstack.com/start/latest/docs/framework/react/guide/server-functions',
    packages: ['@tanstack/react-start', '@tanstack/solid-start', '@tanstack/start'],
    kind: 'route',
    methods: ['handler'],
    after: 'createServerFn',
  },
  {
    framework: 'middy',
    source: 'https://middy.js.org/docs/writing-middlewares/',
    packages: ['@middy/core', 'middy'],
    kind: 'invocation',
    methods: ['use'],
    options: ['before', 'after', 'onError'],
  },
  {
    framework: 'aws-lambda',
    source: 'https://middy.js.org/docs/upgrade/2-3/',
    packages: ['@middy/core'],
    kind: 'invocation',
    methods: ['handler'],
    after: 'middy',
  },
  {
    framework: 'electron',
    source: 'https://www.electronjs.org/docs/latest/api/ipc-main',
    packages: ['electron'],
    byDependency: true,
    kind: 'ipc',
    methods: words('handle on addListener'),
    receiver: /^ipcMain$/,
    makers: words('ipcMain.handle ipcMain.on ipcMain.addListener'),
  },
  {
    framework: 'electron',
    source: 'https://www.electronjs.org/docs/latest/api/ipc-main-service-worker',
    packages: ['electron'],
    kind: 'ipc',
    methods: words('handle on'),
    receiver: /^ipc$/,
    holder: /^(?:webContents|mainFrame|senderFrame|worker)$/,
  },
  {
    framework: 'electron',
    source: 'https://github.com/sindresorhus/electron-better-ipc#api',
    packages: ['electron-better-ipc'],
    kind: 'ipc',
    makers: words('ipcMain.answerRenderer ipcMain.handle ipcMain.on'),
    methods: words('answerRenderer handle on'),
    receiver: /^ipc(?:Main)?$/,
  },
  {
    framework: 'hapi',
    source: 'https://hapi.dev/tutorials/servermethods/',
    packages: ['@hapi/hapi', 'hapi'],
    byDependency: true,
    kind: 'route',
    methods: ['method'],
    first: /^[\w.]+$/,
  },
  {
    framework: 'async',
    source: 'https://caolan.github.io/async/v3/docs.html#queue',
    packages: ['async', 'async/queue', 'fastq', 'better-queue'],
    kind: 'job',
    makers: ['', 'queue', 'priorityQueue', 'cargo', 'promise'],
  },
  {
    framework: 'strapi',
    source: 'https://docs.strapi.io/cms/backend-customization/controllers',
    packages: ['@strapi/strapi'],
    kind: 'route',
    makers: ['factories.createCoreController'],
    isReturned: true,
  },
  // What a request runs by way of a package's options.
  {
    framework: 'multer',
    source: 'https://github.com/expressjs/multer#diskstorage',
    packages: ['multer'],
    kind: 'route',
    makers: ['', 'diskStorage'],
    options: ['destination', 'filename', 'fileFilter'],
  },
  ...SERVED_FILES,
  {
    framework: 'next-connect',
    source: 'https://github.com/hoangvvo/next-connect#router--createrouter',
    packages: ['next-connect'],
    kind: 'route',
    makers: ['', 'createRouter', 'default'],
    methods: ['handler'],
    options: ['onError', 'onNoMatch'],
  },
  {
    framework: 'next-auth',
    source: 'https://next-auth.js.org/configuration/callbacks',
    packages: ['next-auth', 'next-auth/next', '@auth/core', '@auth/express', '@auth/sveltekit'],
    kind: 'route',
    makers: ['', 'Auth', 'ExpressAuth', 'SvelteKitAuth'],
    options: ['callbacks', 'events'],
    isDeep: true,
  },
  {
    framework: 'next-auth',
    source: 'https://next-auth.js.org/configuration/providers/credentials',
    kind: 'route',
    makers: ['', 'Credentials', 'CredentialsProvider', 'EmailProvider'],
    options: ['authorize', 'sendVerificationRequest', 'profile'],
    packages: ['credentials', 'email', 'nodemailer', 'resend'].flatMap((name) => [
      `next-auth/providers/${name}`,
      `@auth/core/providers/${name}`,
      `@auth/express/providers/${name}`,
      `@auth/sveltekit/providers/${name}`,
    ]),
  },
  {
    framework: 'better-auth',
    source: 'https://www.better-auth.com/docs/reference/options',
    packages: ['better-auth'],
    kind: 'route',
    makers: ['betterAuth'],
    options: words('emailAndPassword emailVerification databaseHooks hooks socialProviders user session account advanced'),
    isDeep: true,
  },
  {
    framework: 'feathers',
    source: 'https://feathersjs.com/api/services',
    packages: ['@feathersjs/feathers'],
    byDependency: true,
    kind: 'route',
    methods: ['use'],
    options: ['find', 'get', 'create', 'update', 'patch', 'remove'],
  },
  {
    framework: 'feathers',
    source: 'https://feathersjs.com/api/hooks',
    packages: ['@feathersjs/feathers'],
    byDependency: true,
    kind: 'route',
    methods: ['hooks'],
    options: ['before', 'after', 'error', 'around'],
    isDeep: true,
  },
  // Events of a cloud.
  {
    framework: 'cloud-functions',
    source: 'https://firebase.google.com/docs/functions/1st-gen/get-started-1st',
    kind: 'message',
    packages: ['firebase-functions', 'firebase-functions/v1'],
    methods: words('onFinalize onArchive onDelete onMetadataUpdate onCreate onUpdate onWrite onPublish onDispatch'),
  },
  {
    framework: 'cloud-functions',
    source: 'https://firebase.google.com/docs/functions/1st-gen/schedule-functions-1st',
    kind: 'job',
    packages: ['firebase-functions', 'firebase-functions/v1'],
    methods: ['onRun'],
  },
  {
    framework: 'cloud-functions',
    source: 'https://firebase.google.com/docs/functions/get-started',
    kind: 'message',
    packages: words('storage firestore database pubsub scheduler tasks eventarc identity remoteConfig').flatMap((name) => [
      `firebase-functions/v2/${name}`,
      `firebase-functions/${name}`,
    ]),
    makers: [
      ...words(
        'onObjectFinalized onObjectArchived onObjectDeleted onObjectMetadataUpdated onMessagePublished onTaskDispatched onCustomEventPublished onConfigUpdated beforeUserCreated beforeUserSignedIn',
      ),
      ...words('Created Updated Deleted Written').flatMap((what) => [
        `onDocument${what}`,
        `onDocument${what}WithAuthContext`,
        `onValue${what}`,
      ]),
    ],
  },
  {
    framework: 'cloud-functions',
    source: 'https://firebase.google.com/docs/functions/schedule-functions',
    kind: 'job',
    packages: ['firebase-functions/v2/scheduler', 'firebase-functions/scheduler'],
    makers: ['onSchedule'],
  },
  {
    framework: 'azure-functions',
    source: 'https://learn.microsoft.com/azure/azure-functions/functions-reference-node',
    packages: ['@azure/functions'],
    kind: 'message',
    options: ['handler'],
    makers: words('timer storageQueue storageBlob serviceBusQueue serviceBusTopic eventHub eventGrid cosmosDB generic').map(
      (name) => `app.${name}`,
    ),
  },
  // Bots and bare servers.
  {
    framework: 'net',
    source: 'https://nodejs.org/api/net.html#netcreateserveroptions-connectionlistener',
    packages: ['net', 'tls'],
    kind: 'message',
    makers: ['createServer', 'Server'],
  },
  {
    framework: 'dgram',
    source: 'https://nodejs.org/api/dgram.html#event-message',
    packages: ['dgram'],
    kind: 'message',
    events: ['message'],
  },
  {
    framework: 'pubsub',
    source: 'https://cloud.google.com/pubsub/docs/pull#streamingpull_code_samples',
    packages: ['@google-cloud/pubsub'],
    kind: 'message',
    events: ['message'],
    // Not a worker thread or a socket of the same file.
    receiver: /sub/i,
  },
  {
    framework: 'redis',
    source: 'https://github.com/redis/ioredis#pubsub',
    packages: ['redis', 'ioredis'],
    kind: 'message',
    events: ['message', 'pmessage'],
  },
  {
    framework: 'discord.js',
    source: 'https://discord.js.org/docs/packages/discord.js/main/Client:Class',
    packages: ['discord.js', 'eris'],
    kind: 'message',
    events: [
      'messageCreate',
      'message',
      'interactionCreate',
      'messageReactionAdd',
      'messageUpdate',
      'messageDelete',
      'guildMemberAdd',
      'voiceStateUpdate',
    ],
    anyEvent: true,
  },
  {
    framework: 'telegraf',
    source: 'https://telegraf.js.org/classes/Telegraf-1.html',
    packages: ['telegraf', 'grammy'],
    kind: 'message',
    events: ['message', 'text', 'callback_query', 'photo', 'document', 'voice', 'message:text'],
    methods: words('start help settings enter leave'),
  },
  {
    framework: 'telegraf',
    source: 'https://telegraf.js.org/classes/Composer.html',
    packages: ['telegraf', 'grammy'],
    byDependency: true,
    kind: 'message',
    methods: words('command hears action callbackQuery inlineQuery'),
  },
  {
    framework: 'node-telegram-bot-api',
    source: 'https://github.com/yagop/node-telegram-bot-api/blob/master/doc/usage.md#events',
    packages: ['node-telegram-bot-api'],
    kind: 'message',
    events: ['message', 'text', 'callback_query', 'photo', 'document', 'voice'],
    methods: ['onText'],
  },
  {
    framework: 'whatsapp-web.js',
    source: 'https://docs.wwebjs.dev/Client.html',
    packages: ['whatsapp-web.js'],
    kind: 'message',
    events: ['message', 'message_create', 'message_edit', 'message_reaction', 'message_ack', 'vote_update'],
  },
  {
    framework: 'baileys',
    source: 'https://baileys.wiki/docs/socket/receiving-updates',
    packages: ['baileys', '@whiskeysockets/baileys', '@adiwajshing/baileys'],
    kind: 'message',
    events: ['messages.upsert', 'messages.update', 'messages.reaction', 'message-receipt.update', 'contacts.upsert', 'groups.update'],
    methods: ['process'],
    receiver: /^ev$/,
  },
  {
    framework: 'bolt',
    source: 'https://docs.slack.dev/tools/bolt-js/',
    packages: ['@slack/bolt'],
    byDependency: true,
    kind: 'message',
    methods: ['message', 'command', 'action', 'event', 'shortcut', 'view'],
  },
  {
    framework: 'grpc',
    source: 'https://grpc.io/docs/languages/node/basics/',
    packages: ['@grpc/grpc-js', 'grpc'],
    kind: 'route',
    methods: ['addService', 'addProtoService'],
    options: [],
    isDeep: true,
  },
  // Hooks of models.
  {
    framework: 'mongoose',
    source: 'https://mongoosejs.com/docs/middleware.html',
    packages: ['mongoose'],
    kind: 'hook',
    methods: ['pre', 'post'],
    // Hooks of `init` are synchronous: nothing can be awaited there.
    first:
      /^(?:validate|save|remove|count(?:Documents)?|estimatedDocumentCount|distinct|find\w*|(?:delete|update|replace|insert)(?:One|Many)|update|aggregate|bulkWrite)$/,
  },
  {
    framework: 'mongoose',
    source: 'https://mongoosejs.com/docs/tutorials/virtuals.html',
    packages: ['mongoose'],
    kind: 'hook',
    methods: ['get', 'set'],
    after: 'virtual',
  },
  {
    framework: 'sequelize',
    source: 'https://sequelize.org/docs/v6/other-topics/hooks/',
    packages: ['sequelize', 'sequelize-typescript', '@sequelize/core'],
    byDependency: true,
    kind: 'hook',
    methods: ['Validate', 'Create', 'Update', 'Save', 'Upsert', 'Destroy', 'BulkCreate', 'BulkUpdate', 'BulkDestroy', 'Find'].flatMap(
      (name) => [`before${name}`, `after${name}`],
    ),
  },
  {
    framework: 'sequelize',
    source: 'https://sequelize.org/docs/v6/other-topics/hooks/',
    packages: ['sequelize', '@sequelize/core', '@adonisjs/lucid'],
    byDependency: true,
    kind: 'hook',
    methods: ['addHook'],
    first: /^(?:before|after)(?!Define|Init|Connect|Disconnect|\w*Sync)[A-Z]/,
  },
  {
    framework: 'sequelize',
    source: 'https://sequelize.org/docs/v6/other-topics/hooks/',
    packages: ['sequelize', '@sequelize/core'],
    byDependency: true,
    kind: 'hook',
    methods: ['define', 'init'],
    options: ['hooks'],
    isDeep: true,
  },
];

/** A Node-RED node answers each message of a flow: https://nodered.org/docs/creating-nodes/node-js#receiving-messages */
export const NODE_RED = { framework: 'node-red', parameter: 'RED', event: 'input' } as const;
