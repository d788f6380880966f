// Functions that run for each message or job: of a broker, a mail, a queue. A message is to its server what a request is to a web server.

export interface MessageModel {
  framework: string;
  source: string;
  packages: readonly string[];
  kind: 'route' | 'message' | 'job';
  /** `x.on(event, fn)` in a file that imports the package. */
  events?: readonly string[];
  /** `x.method(…, fn)` in a file that imports the package. */
  methods?: readonly string[];
  /** `new Export(…, fn)` or `Export(…, fn)`. */
  makers?: readonly string[];
  /** Properties of an options object that hold functions; all of them where the list is empty. */
  options?: readonly string[];
  /** Whether these hold tables of tables of functions. */
  isDeep?: boolean;
}

export const MESSAGE_MODELS: readonly MessageModel[] = [
  { framework: 'graphql', source: 'https://www.apollographql.com/docs/apollo-server/data/resolvers', packages: ['apollo-server', '@apollo/server', 'apollo-server-express', 'apollo-server-koa', 'apollo-server-fastify', 'apollo-server-lambda', 'graphql-yoga', '@graphql-tools/schema', 'graphql-tools', '@graphql-yoga/node', '@apollo/subgraph'], kind: 'route', makers: ['ApolloServer', 'makeExecutableSchema', 'createSchema', 'createYoga', 'GraphQLServer', 'buildSubgraphSchema', 'addResolversToSchema'], options: ['resolvers'], isDeep: true },
  { framework: 'graphql', source: 'https://graphql.org/graphql-js/running-an-express-graphql-server/', packages: ['express-graphql', 'graphql-http', 'graphql-http/lib/use/express', 'koa-graphql', 'mercurius'], kind: 'route', makers: ['graphqlHTTP', 'createHandler', ''], methods: ['register'], options: ['rootValue', 'resolvers'], isDeep: true },
  { framework: 'meteor', source: 'https://docs.meteor.com/api/methods', packages: ['meteor/meteor'], kind: 'route', methods: ['methods', 'publish'], options: [], isDeep: true },
  { framework: 'meteor', source: 'https://github.com/meteor/validated-method', packages: ['meteor/mdg:validated-method'], kind: 'route', makers: ['ValidatedMethod'], options: ['run'] },
  { framework: 'mqtt', source: 'https://github.com/mqttjs/MQTT.js#event-message', packages: ['mqtt', 'async-mqtt'], kind: 'message', events: ['message'] },
  { framework: 'aedes', source: 'https://github.com/moscajs/aedes/blob/main/docs/Aedes.md', packages: ['aedes', 'mosca'], kind: 'message', events: ['publish', 'published', 'client', 'subscribe'], options: ['authenticate', 'authorizePublish', 'authorizeSubscribe', 'preConnect', 'published'], makers: ['', 'Server', 'Aedes', 'createBroker'] },
  { framework: 'smtp-server', source: 'https://nodemailer.com/extras/smtp-server/', packages: ['smtp-server'], kind: 'message', makers: ['SMTPServer'], options: ['onData', 'onAuth', 'onConnect', 'onMailFrom', 'onRcptTo', 'onSecure'] },
  { framework: 'amqplib', source: 'https://amqp-node.github.io/amqplib/channel_api.html#channel_consume', packages: ['amqplib', 'amqplib/callback_api', 'amqp-connection-manager'], kind: 'message', methods: ['consume'] },
  { framework: 'kafkajs', source: 'https://kafka.js.org/docs/consuming', packages: ['kafkajs'], kind: 'message', methods: ['run'], options: ['eachMessage', 'eachBatch'] },
  { framework: 'sqs-consumer', source: 'https://github.com/bbc/sqs-consumer#usage', packages: ['sqs-consumer'], kind: 'message', methods: ['create'], options: ['handleMessage', 'handleMessageBatch'] },
  { framework: 'bull', source: 'https://github.com/OptimalBits/bull/blob/develop/REFERENCE.md#queueprocess', packages: ['bull', 'bee-queue', 'kue', 'bull-board'], kind: 'job', methods: ['process'] },
  { framework: 'bullmq', source: 'https://docs.bullmq.io/guide/workers', packages: ['bullmq'], kind: 'job', makers: ['Worker'] },
  { framework: 'agenda', source: 'https://github.com/agenda/agenda#defining-job-processors', packages: ['agenda', '@hokify/agenda'], kind: 'job', methods: ['define'] },
];

/** A Node-RED node answers each message of a flow: https://nodered.org/docs/creating-nodes/node-js#receiving-messages */
export const NODE_RED = { framework: 'node-red', parameter: 'RED', event: 'input' } as const;
