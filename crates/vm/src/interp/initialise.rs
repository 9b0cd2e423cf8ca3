//! When and in which order are classes initialised? (JVMS §5.5)

use super::{Trouble, Vm};
use crate::ambient::Assumption;
use crate::frame::{Frame, Purpose};
use crate::heap::Body;
use crate::outcome::Stop;
use crate::program::{Class, ConstantValue, Form, Op, access};
use crate::state::{Initialisation, State};
use crate::value::{ObjId, Value};

impl Vm {
    /// Starts the initialisation of a class. The instruction that needed it runs again when its initialisers are done.
    pub(super) fn initialise(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        match state.classes.slot(class.id).initialisation {
            Initialisation::Done | Initialisation::Running => Ok(()),
            Initialisation::Failed => self.raise(state, Trouble::InitialisationFailed(class)),
            Initialisation::NotStarted => {
                self.may_initialise(state, class)?;
                match self.start(state, class) {
                    None => Ok(()),
                    // Thrown where the initialisation of the subclass has begun, so that it fails too.
                    Some(failed) => self.raise(state, Trouble::InitialisationFailed(failed)),
                }
            }
        }
    }

    /// For the start of the virtual machine, where no instruction needs the class.
    pub(crate) fn require(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        self.initialise(state, class)
    }

    /// Marks the class as being initialised and pushes what is left to do: own initialiser below, supertypes' above.
    /// Gives back a supertype whose initialisation has failed before.
    fn start(&mut self, state: &mut State, class: &'static Class) -> Option<&'static Class> {
        self.mirror(state, class);
        let needed = self.prerequisites(state, class);
        let initialiser = class.own_method("<clinit>", "()V");
        if initialiser.is_none() && needed.is_empty() {
            state.classes.slot_mut(class.id).initialisation = Initialisation::Done;
            return None;
        }
        state.classes.slot_mut(class.id).initialisation = Initialisation::Running;
        self.note_order(state, class);
        let method = self.program.initialiser_stub(class);
        let code = self.program.code(method).expect("stubs have code");
        let base = state.thread.top() as u32;
        let end = (base + code.registers) as usize;
        if state.thread.stack.len() < end {
            state.thread.stack.resize(end.next_power_of_two(), Value::Top);
        }
        state.thread.frames.push(Frame {
            method,
            code,
            base,
            pc: 0,
            sp: 0,
            purpose: Purpose::Initialise(class),
            synchronized: None,
        });
        let has_failed =
            |class: &&&'static Class| state.classes.slot(class.id).initialisation == Initialisation::Failed;
        if let Some(failed) = needed.iter().find(has_failed) {
            return Some(failed);
        }
        for class in needed.into_iter().rev() {
            if state.classes.slot(class.id).initialisation == Initialisation::NotStarted {
                let failed = self.start(state, class);
                if failed.is_some() {
                    return failed;
                }
            }
        }
        None
    }

    /// An initialiser may see what another one that has begun has not set yet, or set fields of other classes. Then fields contain something else where code before
    /// the method has used the classes in another order.
    fn note_order(&mut self, state: &State, class: &'static Class) {
        let Some(initialiser) = class.own_method("<clinit>", "()V").filter(|_| class.is_users() && self.is_exploring)
        else {
            return;
        };
        let Ok(code) = self.program.code(initialiser) else { return };
        let is_running = |name: &str| {
            state.thread.frames.iter().any(|frame| match frame.purpose {
                Purpose::Initialise(begun) => begun.name == name && begun.is_users() && !class.is_subtype_of(begun),
                _ => false,
            })
        };
        let is_other = |name: &str| name != class.name && self.program.load(name).is_ok_and(Class::is_users);
        let depends = code.ops.iter().any(|op| match op {
            Op::GetStatic(at) => is_running(code.fields[*at as usize].class),
            Op::PutStatic(at) => is_other(code.fields[*at as usize].class),
            Op::InvokeStatic(at) => is_running(code.calls[*at as usize].class),
            _ => false,
        });
        if depends {
            let class = self.program.short_name(class);
            self.take_for_granted(Assumption::InitialisedInOrder { class });
        }
    }

    /// The superclass, then the superinterfaces that declare default methods, that are not initialised.
    fn prerequisites(&self, state: &State, class: &'static Class) -> Vec<&'static Class> {
        if class.is_interface() {
            return Vec::new();
        }
        fn add(state: &State, interfaces: &[&'static Class], needed: &mut Vec<&'static Class>) {
            for interface in interfaces {
                add(state, &interface.interfaces, needed);
                let has_defaults = interface.methods.iter().any(|method| !method.is_static() && !method.is_abstract());
                if has_defaults && is_wanting(state, interface) && !needed.iter().any(|other| other.id == interface.id)
                {
                    needed.push(interface);
                }
            }
        }
        let mut needed: Vec<&'static Class> =
            class.super_class.into_iter().filter(|parent| is_wanting(state, parent)).collect();
        add(state, &class.interfaces, &mut needed);
        needed
    }

    /// The `java.lang.Class` object of a class; its last fields are the static fields of the class.
    pub fn mirror(&mut self, state: &mut State, class: &'static Class) -> ObjId {
        if let Some(mirror) = state.classes.slot(class.id).mirror {
            return mirror;
        }
        let known = self.program.known();
        let mut fields: Vec<Value> = known.class.defaults.to_vec();
        fields.push(Value::Int(class.id.index() as i32));
        if self.rules.unknown_statics && class.is_users() && class.file.is_some() {
            fields.extend(class.static_defaults.iter().map(|_| Value::Unread));
            for field in class.fields.iter().filter(|field| field.is_static()) {
                let slot = self.program.slot_of(field) as usize;
                if let Some(ConstantValue::Value(value)) = field.constant {
                    fields[slot] = value;
                } else if self.rules.known_private_statics && field.access & access::PRIVATE != 0 {
                    fields[slot] = class.static_defaults[field.slot as usize];
                }
            }
        } else {
            fields.extend_from_slice(&class.static_defaults);
        }
        let mirror = state.heap.insert(known.class, Body::Fields(fields.into()));
        state.classes.slot_mut(class.id).mirror = Some(mirror);
        if let Form::Array { component } = class.form {
            let slot = known.class_component_type;
            let component = self.mirror(state, component);
            state.heap.set_field(mirror, slot, component.into());
        }
        for field in class.fields.iter().filter(|field| field.is_static()) {
            if let Some(ConstantValue::String(text)) = field.constant {
                let string = self.interned(state, text);
                state.heap.set_field(mirror, self.program.slot_of(field) as usize, string.into());
            }
        }
        self.place_in_module(state, class, mirror);
        mirror
    }

    pub(super) fn make_mirror(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        self.mirror(state, class);
        Ok(())
    }

    /// The class whose mirror this object is.
    pub fn class_of_mirror(&self, state: &State, mirror: ObjId) -> Option<&'static Class> {
        let known = self.program.known();
        if state.heap.class(mirror).id != known.class.id {
            return None;
        }
        match state.heap.field(mirror, known.class_id_slot) {
            Value::Int(index) => Some(self.program.class_at(index as usize)),
            _ => None,
        }
    }
}

/// Is the class neither initialised nor about to be?
fn is_wanting(state: &State, class: &Class) -> bool {
    matches!(state.classes.slot(class.id).initialisation, Initialisation::NotStarted | Initialisation::Failed)
}
