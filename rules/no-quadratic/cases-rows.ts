// Lists of rows: those of a whole table grow with the data, and those of one customer are few, as a rule.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import { inHandler } from './cases-innocents.ts';

const hint = (name: string, ...lines: string[]): InvalidCase<'searched'> => ({
  name,
  code: inHandler(...lines),
  findings: [{ messageId: 'searched', severity: 'hint', route: 'POST /' }],
});
const warning = (name: string, ...lines: string[]): InvalidCase<'searched'> => ({
  name,
  code: inHandler(...lines),
  findings: [{ messageId: 'searched', severity: 'warning', route: 'POST /' }],
});

const ANSWER = 'res.json(members.map((one) => ({ ...one, places: «places.filter((place) => place.projectId === one.projectId)» })));';

export const rowCases: readonly InvalidCase<'searched'>[] = [
  hint(
    'the rows of one user, and those of their IDs',
    'const members = await prisma.member.findMany({ where: { userId: req.user.id }, include: { project: true } });',
    'const places = await prisma.place.findMany({ where: { projectId: { in: members.map((one) => one.projectId) } } });',
    ANSWER,
  ),
  hint(
    'rows of all, each with those of one user',
    'const members = await prisma.member.findMany();',
    'const places = await prisma.place.findMany({ where: { userId: req.user.id } });',
    ANSWER,
  ),
  hint(
    'the body of the request, and the rows of one user',
    'const members = req.body.members;',
    "const { rows: places } = await pool.query('select * from places where user_id = $1', [req.user.id]);",
    ANSWER,
  ),
  hint(
    'a filter of MongoDB, in front of its options',
    'const members = await Member.find({ userId: req.user.id }).lean();',
    'const places = await Place.find({ userId: req.user.id }).sort({ at: 1 }).exec();',
    ANSWER,
  ),
  hint(
    'a filter that is made elsewhere',
    'const members = await Member.find(filterOf(req.user)).lean();',
    'const places = await Place.find(filterOf(req.user)).lean();',
    ANSWER,
  ),
  hint(
    'a text of SQL that is made elsewhere',
    'const { rows: members } = await pool.query(MEMBERS, [req.user.id]);',
    'const { rows: places } = await pool.query(PLACES, [req.user.id]);',
    ANSWER,
  ),
  hint(
    'conditions of a query builder',
    "const members = await knex('members').where({ user: req.user.id }).select();",
    "const places = await knex('places').where({ user: req.user.id }).select();",
    ANSWER,
  ),
  warning(
    'two whole tables',
    'const members = await Member.find().sort({ at: 1 }).lean();',
    "const places = await prisma.place.findMany({ orderBy: { at: 'asc' }, include: { project: true } });",
    ANSWER,
  ),
  warning(
    'two whole tables, of which one is called like the few volumes of a service',
    'const [members, volumes] = await Promise.all([Member.find().lean(), Volume.find().lean()]);',
    'res.json(members.map((one) => «volumes.find((volume) => volume.id === one.id)»));',
  ),
  warning(
    'the volumes in the body of a request',
    'const members = await Member.find().lean();',
    'res.json(members.map((one) => «req.body.volumes.find((volume) => volume.id === one.id)»));',
  ),
  warning(
    'two whole tables, by a query builder and in SQL',
    "const members = await knex('members').select();",
    "const { rows: places } = await pool.query('select * from places');",
    ANSWER,
  ),
  warning(
    'the rows of the IDs in the body',
    'const members = req.body.members.filter((one) => one.projectId);',
    'const places = await prisma.place.findMany({ where: { projectId: { in: members.map((one) => one.projectId) } } });',
    ANSWER,
  ),
  warning(
    'the rows of the IDs in the body, by Mongoose',
    'const members = req.body.members;',
    'const places = await Place.find({ projectId: { $in: members.map((one) => one.projectId) } }).lean();',
    ANSWER,
  ),
];
