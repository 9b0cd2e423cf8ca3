//! How does a whole program start? As `java` starts it: its main method is called with arguments, and before that its class is initialised.
//!
//! The call is code of its own, the *launcher*, so that the initialiser of the class is a part of the path: it may ask, too. Nothing is there
//! at entry but the arguments, what the program asks for by `Lazuli.any…`, and what it takes from outside.

use crate::program::{Assembler, Class, Method, Op, Program, SyntheticClass, SyntheticMethod, access};

/// The class of the native method by which the launcher gets the arguments.
pub(crate) const ARGUMENTS: &str = "lazuli/Program$$Arguments";

/// The arguments of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramArguments {
    /// These.
    Given(Vec<String>),
    /// Any strings, up to a number of them.
    Any {
        /// The largest number.
        most: usize,
    },
}

impl Default for ProgramArguments {
    fn default() -> ProgramArguments {
        ProgramArguments::Given(Vec::new())
    }
}

impl Program {
    /// The method that starts a program: `static void launch() { Main.main(arguments()); }`. The class in which it begins is initialised even if
    /// it inherits the main method. To be made once for a program.
    pub fn launcher(&self, class: &'static Class, main: &'static Method) -> &'static Method {
        let define = |name: &str, method: SyntheticMethod| {
            let (name, host) = (name.to_string(), class);
            let class =
                SyntheticClass { name, host, interfaces: Vec::new(), fields: Vec::new(), methods: vec![method] };
            self.define_synthetic(class).methods[0]
        };
        let arguments = define(
            ARGUMENTS,
            SyntheticMethod {
                name: "arguments",
                descriptor: "()[Ljava/lang/String;".to_string(),
                access: access::STATIC | access::NATIVE,
                code: Assembler::default().finish(0, 1),
            },
        );
        let mut assembler = Assembler::default();
        assembler.call_static(arguments).initialise(self, class).call_static(main).op(Op::Return);
        let (name, code) = (format!("{}$$Program", class.name), assembler.finish(0, 2));
        let method = SyntheticMethod { name: "launch", descriptor: "()V".to_string(), access: access::STATIC, code };
        define(&name, method)
    }
}
