// A bot of botbuilder 4 that counts the turns of its conversation, says two things and ends at 再见. Arguments: port.
const http = require("http");
const { CloudAdapter, ConfigurationBotFrameworkAuthentication, ActivityHandler, MemoryStorage, ConversationState } = require("botbuilder");
const adapter = new CloudAdapter(new ConfigurationBotFrameworkAuthentication({}));
const state = new ConversationState(new MemoryStorage());
const turns = state.createProperty("turns");
class Bot extends ActivityHandler {
  constructor() {
    super();
    this.onMessage(async (context, next) => {
      const said = await turns.get(context, { n: 0 });
      said.n += 1;
      await context.sendActivity({ type: "typing" });
      await context.sendActivity(`${context.activity.text}，第 ${said.n} 句`);
      await context.sendActivity("还有吗？");
      if (context.activity.text === "再见") await context.sendActivity({ type: "endOfConversation" });
      await state.saveChanges(context);
      await next();
    });
    this.onMembersAdded(async (context, next) => { await context.sendActivity("您好"); await next(); });
  }
}
const bot = new Bot();
http.createServer(async (req, res) => {
  const parts = []; for await (const part of req) parts.push(part);
  try { req.body = JSON.parse(Buffer.concat(parts).toString() || "{}"); } catch { req.body = {}; }
  res.status = (code) => { res.statusCode = code; return res; };
  res.send = (body) => { res.setHeader("Content-Type", "application/json"); res.end(body === undefined ? "" : JSON.stringify(body)); return res; };
  res.header = (name, value) => res.setHeader(name, value);
  await adapter.process(req, res, (context) => bot.run(context));
  if (!res.writableEnded) res.end();
}).listen(Number(process.argv[2]), "127.0.0.1");
