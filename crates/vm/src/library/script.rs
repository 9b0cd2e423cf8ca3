//! Which code makes an object of the library? A static method that takes the elements and returns the object. Another one empties a collection and fills it anew.
//!
//! Where the elements do not have the order that the recipe wants, the code throws: there is no such object, or it is made from the elements in
//! another order.

use super::{ElementOrder, LibraryForm, LibraryRecipe};
use crate::program::{Assembler, Class, Method, Op, Program, SyntheticClass, SyntheticMethod, access};
use crate::value::Value;

const OBJECT: &str = "Ljava/lang/Object;";

impl Program {
    /// The method that makes an object with that many elements by a recipe, where it holds constants those of an enumeration. None if the library lacks what
    /// the recipe needs.
    pub fn script(
        &self,
        recipe: &'static LibraryRecipe,
        size: usize,
        constants: Option<&'static Class>,
    ) -> Option<&'static Method> {
        self.script_that(recipe, size, constants, false)
    }

    /// The method that takes that many elements and a collection or map, which it empties and then fills with them.
    pub fn refill_script(&self, recipe: &'static LibraryRecipe, size: usize) -> Option<&'static Method> {
        self.script_that(recipe, size, None, true)
    }

    fn script_that(
        &self,
        recipe: &'static LibraryRecipe,
        size: usize,
        constants: Option<&'static Class>,
        is_refill: bool,
    ) -> Option<&'static Method> {
        let key = (recipe.class, size, constants.map(|constants| constants.id), is_refill);
        let known = || self.recipes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(method) = known().get(&key) {
            return Some(method);
        }
        let class = self.load(recipe.class).ok()?;
        let arguments = recipe.values_of_element() * size;
        let assembler = Assembler::default();
        let mut script = ScriptWriter { program: self, class, assembler, made: arguments, is_refill };
        script.write(recipe, size, constants)?;
        let code = script.assembler.finish(arguments + 1, 5);
        let taken = arguments + is_refill as usize;
        let made = self.define_synthetic(SyntheticClass {
            name: self.fresh_name(class, "Recipe"),
            host: class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: vec![SyntheticMethod {
                name: "make",
                descriptor: format!("({}){OBJECT}", OBJECT.repeat(taken)),
                access: access::STATIC,
                code,
            }],
        });
        // Another thread may have made one too: all use the first.
        Some(known().entry(key).or_insert(made.methods[0]))
    }
}

struct ScriptWriter<'a> {
    program: &'a Program,
    /// The class that is made.
    class: &'static Class,
    assembler: Assembler,
    /// The variable that holds the new object, or the one to be filled.
    made: usize,
    /// Is the object there, and to be emptied first?
    is_refill: bool,
}

impl ScriptWriter<'_> {
    fn write(&mut self, recipe: &LibraryRecipe, size: usize, constants: Option<&'static Class>) -> Option<()> {
        match recipe.form {
            LibraryForm::Optional => {
                let (name, descriptor) = match size {
                    0 => ("empty", "()Ljava/util/Optional;"),
                    _ => ("of", "(Ljava/lang/Object;)Ljava/util/Optional;"),
                };
                let factory = self.class.own_method(name, descriptor)?;
                for at in 0..size {
                    self.assembler.load(at);
                }
                self.assembler.call_static(factory);
            }
            LibraryForm::Elements { order, .. } => {
                let add = self.method("add", "(Ljava/lang/Object;)Z")?;
                self.begin()?;
                for at in 0..size {
                    if order == ElementOrder::Ascending && at > 0 {
                        self.demand_ascent(at - 1, at)?;
                    }
                    self.assembler.load(self.made).load(at).call_virtual(add);
                    match order {
                        ElementOrder::Distinct => self.demand(Op::IfNe),
                        _ => {
                            self.assembler.op(Op::Pop);
                        }
                    }
                }
                self.assembler.load(self.made);
            }
            LibraryForm::Pairs { order, .. } => {
                let put = self.method("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")?;
                let count = self.method("size", "()I")?;
                self.begin()?;
                for at in 0..size {
                    if order == ElementOrder::Ascending && at > 0 {
                        self.demand_ascent(2 * at - 2, 2 * at)?;
                    }
                    self.assembler.load(self.made).load(2 * at).load(2 * at + 1).call_virtual(put).op(Op::Pop);
                    if order == ElementOrder::Distinct {
                        self.assembler.load(self.made).call_virtual(count).op(Op::Int(at as i32 + 1));
                        self.demand(Op::IfIcmpEq);
                    }
                }
                self.assembler.load(self.made);
            }
            LibraryForm::Constants => {
                let add = self.interface("java/util/Collection", "add", "(Ljava/lang/Object;)Z")?;
                let factory = self.class.own_method("noneOf", "(Ljava/lang/Class;)Ljava/util/EnumSet;")?;
                let made = self.made as u16;
                self.assembler.class_constant(constants?).call_static(factory).op(Op::Store(made));
                for at in 0..size {
                    if at > 0 {
                        self.demand_ascent(at - 1, at)?;
                    }
                    self.assembler.load(self.made).load(at).call_virtual(add).op(Op::Pop);
                }
                self.assembler.load(self.made);
            }
            LibraryForm::PairsOfConstants => {
                let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
                let put = self.interface("java/util/Map", "put", put)?;
                let constructor = self.class.own_method("<init>", "(Ljava/lang/Class;)V")?;
                let made = self.made as u16;
                self.assembler.new_object(self.class).op(Op::Dup).class_constant(constants?);
                self.assembler.call_special(constructor).op(Op::Store(made));
                for at in 0..size {
                    if at > 0 {
                        self.demand_ascent(2 * at - 2, 2 * at)?;
                    }
                    self.assembler.load(self.made).load(2 * at).load(2 * at + 1).call_virtual(put).op(Op::Pop);
                }
                self.assembler.load(self.made);
            }
            LibraryForm::Entry => {
                let constructor = self.class.own_method("<init>", "(Ljava/lang/Object;Ljava/lang/Object;)V")?;
                self.assembler.new_object(self.class).op(Op::Dup).load(0).load(1).call_special(constructor);
            }
            LibraryForm::Stream { of } => {
                let element = of.map_or(OBJECT, |of| of.descriptor);
                let array = self.program.load_descriptor(&format!("[{element}")).ok()?;
                let factory = self.class.own_method("of", &format!("([{element})L{};", self.class.name))?;
                self.assembler.op(Op::Int(size as i32)).new_array(array);
                for at in 0..size {
                    self.assembler.op(Op::Dup).op(Op::Int(at as i32)).load(at);
                    if let Some(of) = of {
                        let boxed = self.program.load(of.class).ok()?;
                        let open = boxed.own_method(of.open, &format!("(){}", of.descriptor))?;
                        self.assembler.check_cast(boxed).call_virtual(open);
                    }
                    self.assembler.op(Op::ArrayStore);
                }
                self.assembler.call_static(factory);
            }
        }
        self.assembler.op(Op::ReturnValue);
        Some(())
    }

    fn method(&self, name: &str, descriptor: &str) -> Option<&'static Method> {
        self.class.chain().find_map(|class| class.own_method(name, descriptor))
    }

    fn interface(&self, class: &str, name: &str, descriptor: &str) -> Option<&'static Method> {
        self.program.load(class).ok()?.own_method(name, descriptor)
    }

    /// Makes a new object, or empties the one that is there.
    fn begin(&mut self) -> Option<()> {
        if self.is_refill {
            let clear = self.method("clear", "()V")?;
            self.assembler.load(self.made).call_virtual(clear);
            return Some(());
        }
        let constructor = self.class.own_method("<init>", "()V")?;
        let made = self.made as u16;
        self.assembler.new_object(self.class).op(Op::Dup).call_special(constructor).op(Op::Store(made));
        Some(())
    }

    /// Goes on only if the one argument is less than the other.
    fn demand_ascent(&mut self, less: usize, greater: usize) -> Option<()> {
        let comparable = self.program.load("java/lang/Comparable").ok()?;
        let compare = comparable.own_method("compareTo", "(Ljava/lang/Object;)I")?;
        self.assembler.load(less).check_cast(comparable).load(greater).call_virtual(compare);
        self.demand(Op::IfLt);
        Some(())
    }

    /// Throws unless a jump is taken.
    fn demand(&mut self, jump: fn(u32) -> Op) {
        let behind = self.assembler.here() + 3;
        self.assembler.op(jump(behind)).constant(Value::NULL).op(Op::Throw);
    }
}
