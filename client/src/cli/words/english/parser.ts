/** The words of the argument parser. English ones are its own. */
export const parser = {
  'parser.unknownOption': "Unknown option '{it}'",
  'parser.unknownCommand': "Unknown command '{it}'",
  'parser.missingArgument': "Missing required argument '{it}'",
  'parser.missingValue': "Option '{it}' argument missing",
  'parser.missingOption': "Required option '{it}' not specified",
  'parser.tooManyArguments': {
    one: 'Too many arguments. Expected {count} argument but got {got}.',
    other: 'Too many arguments. Expected {count} arguments but got {got}.',
  },
  'parser.tooManyArgumentsFor': {
    one: "Too many arguments for '{it}'. Expected {count} argument but got {got}.",
    other: "Too many arguments for '{it}'. Expected {count} arguments but got {got}.",
  },
  'parser.invalidValue': "Option '{it}' argument '{given}' is invalid.",
  'parser.invalidArgument': "Command-argument value '{given}' is invalid for argument '{it}'.",
  'parser.choicesAre': 'Allowed choices are {it}.',
  'parser.didYouMeanOneOf': '(Did you mean one of {it}?)',
  'parser.didYouMean': '(Did you mean {it}?)',
  'parser.usage': 'Usage:',
  'parser.arguments': 'Arguments:',
  'parser.options': 'Options:',
  'parser.globalOptions': 'Global Options:',
  'parser.commands': 'Commands:',
  // What stands for a value in usages and options; other languages say each in the same place.
  'parser.placeholders':
    'options command name language time tool count size kind class image title project value address path glob job what csv folder hpc input word text when batch names day node-hours words request file key scopes audience user amount state month period account group delivery id ids url webhook code shell port',
  'parser.choices': 'choices: ',
  'parser.default': 'default: ',
} as const;
